// Tables, and what is only laid out as one.

const tableRows = getter(HTMLTableElement, "rows");
const rowCells = getter(HTMLTableRowElement, "cells");

const GRIDS = new Set(["table", "grid", "treegrid"]);
const MANY_ROWS = 20;
const LOOKED_AT_CELLS = 40;

function tableRole(table) {
  const { tables } = remembered();
  if (!tables.has(table)) tables.set(table, isDataTable(table));
  return tables.get(table) ? "table" : "none";
}

// The role of a section, a row or a cell.
function tablePartRole(element) {
  const table = closestInTree(element, "table");
  const whole = table ? roleOf(table) : "none";
  if (!GRIDS.has(whole)) return "generic";
  const tag = tagName(element);
  if (tag === "tr") return "row";
  if (tag !== "td" && tag !== "th") return "rowgroup";
  const row = parentNode(element);
  if (!isElement(row) || roleOf(row) !== "row") return "generic";
  return tag === "th" ? headerRole(element, row) : whole === "table" ? "cell" : "gridcell";
}

// A header without a scope belongs to its row if there is data in the row.
function headerRole(cell, row) {
  const scope = attribute(cell, "scope").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const cells = [...elementChildren(row)];
  const at = cells.indexOf(cell);
  if (isHeader(cells[at - 1]) && isHeader(cells[at + 1])) return "columnheader";
  const telling = [cells[at - 1], cells[at + 1], ...cells.slice(0, 2), ...cells.slice(-2)];
  return telling.some(hasData) ? "rowheader" : "columnheader";
}

const isHeader = (cell) => Boolean(cell) && tagName(cell) === "th";
const hasData = (cell) => Boolean(cell) && tagName(cell) === "td" && childNodes(cell).length > 0;

// Chrome's guess. What says "data" is markup that makes no sense in a layout; failing that, lines
// or colours that set the cells apart.
function isDataTable(table) {
  if (closestInTree(table, "[contenteditable]:not([contenteditable=false i])")) return true;
  if (attribute(table, "role") || attribute(table, "summary") || attribute(table, "rules")) return true;
  for (const child of elementChildren(table)) {
    if (/^(caption|thead|tfoot|col|colgroup)$/.test(tagName(child))) return true;
  }
  const rows = tableRows(table);
  if (rows.length >= MANY_ROWS) return true;
  if (!rows.length || (rows.length === 1 && rowCells(rows[0]).length === 1)) return false;
  const cells = [];
  for (const row of rows) cells.push(...rowCells(row));
  if (cells.some((cell) => tagName(cell) === "th" || hasCellRelation(cell))) return true;
  return areSetApart(table, cells.slice(0, LOOKED_AT_CELLS)) || isStriped(rows);
}

const hasCellRelation = (cell) => ["headers", "abbr", "axis", "scope"].some((name) => attribute(cell, name));

function areSetApart(table, cells) {
  if (cells.length < 2) return false;
  const own = getComputedStyle(table);
  const spaced = own.borderSpacing.split(" ").every((width) => parseFloat(width) > 0);
  const count = { Top: 0, Right: 0, Bottom: 0, Left: 0, colour: 0 };
  for (const cell of cells) {
    const style = getComputedStyle(cell);
    if (style.emptyCells === "hide") return true;
    for (const side of ["Top", "Right", "Bottom", "Left"]) {
      if (parseFloat(style[`border${side}Width`]) > 0) count[side] += 1;
    }
    const colour = style.backgroundColor;
    if (spaced && colour !== own.backgroundColor && !/, 0\)$/.test(colour)) count.colour += 1;
  }
  return Object.values(count).some((number) => number >= Math.floor(cells.length / 2));
}

function isStriped(rows) {
  const colours = [...rows].slice(0, 5).map((row) => getComputedStyle(row).backgroundColor);
  return colours.length > 2 && colours.every((colour, at) => (colour === colours[0]) === (at % 2 === 0));
}
