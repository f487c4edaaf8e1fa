// Calendars on the page: which days they show, and what leads to others.

const DATE_ATTRIBUTES = words(
  "data-date data-iso data-value data-day data-full-date datetime data-timestamp data-time title aria-label id",
);
const NOT_DAYS = "th,[role=rowheader],[role=columnheader],[class*=week-number],[class*=weeknumber],option,select";
const TOO_MANY = 3000;
const MONTH_DAYS = 28;
const STEADY_FRAMES = 3;

// The numbers of the days, in order; nothing unless there is a whole month of them.
function daysIn(box) {
  const all = cssAll(box, "*");
  if (all.length < MONTH_DAYS || all.length > TOO_MANY) return [];
  const days = [];
  for (const leaf of all) {
    if ([...elementChildren(leaf)].some((child) => textContent(child).trim())) continue;
    const text = squeezed(textContent(leaf));
    if (/^(0?[1-9]|[12]\d|3[01])$/.test(text) && !closest(leaf, NOT_DAYS) && isShown(leaf))
      days.push({ leaf, number: Number(text) });
  }
  return monthsOf(days).length ? days : [];
}

// Runs of days that count up from 1 through a whole month; what stands around them is of its neighbours.
function monthsOf(days) {
  const runs = [];
  for (const [at, day] of days.entries()) {
    const last = runs.at(-1);
    if (day.number === 1) runs.push([at, at]);
    else if (last && last[1] === at - 1 && days[at - 1].number === day.number - 1) last[1] = at;
  }
  return runs.filter(([first, last]) => last - first + 1 >= MONTH_DAYS);
}

function statedDate({ leaf, number: shown }) {
  for (
    let at = leaf, up = 0;
    isElement(at) && up < 4 && !matches(at, "tr,[role=row],table");
    at = parentOf(at), up += 1
  ) {
    if (hasAttribute(at, "data-year") && hasAttribute(at, "data-month")) {
      // Of jQuery UI, where months count from 0.
      return { year: number(at, "data-year"), month: number(at, "data-month") + 1, day: shown };
    }
    for (const name of DATE_ATTRIBUTES) {
      const text = attribute(at, name);
      if (!text) continue;
      const dates = /^\d{12,14}$/.test(text) ? datesOfStamp(text) : [dateIn(text)];
      const found = dates.find((one) => one && one.day === shown);
      if (found) return found;
    }
  }
  return null;
}

// The text of a calendar's head: what stands around its days, with the choices made there.
function headText(box, days) {
  let text = "";
  const walk = (node) => {
    for (const child of childrenOf(node)) {
      if (isText(child)) text += child.data;
      if (
        !isElement(child) ||
        child === days ||
        matches(child, "th,[role=columnheader],[role=option],script,style,option")
      )
        continue;
      if (tagName(child) === "select") text += ` ${chosenLabels(child).join(" ")} `;
      else if (tagName(child) === "input") text += ` ${inputValue(child)} `;
      else if (isShown(child)) {
        text += " ";
        walk(child);
        text += " ";
      }
    }
  };
  walk(box);
  return text;
}

function headingOf(days, run, box) {
  let grid = parentOf(days[run[0]].leaf);
  while (grid && !contains(grid, days[run[1]].leaf)) grid = parentOf(grid);
  for (let at = grid; isElement(at); at = parentOf(at)) {
    const texts = [attribute(at, "aria-label"), nameOf(at)];
    if (at !== grid) texts.push(headText(at, grid));
    for (const text of texts) {
      const found = dateIn(text);
      if (found) return found;
    }
    if (at === box) break;
  }
  return null;
}

const nextMonth = ({ year, month }, by = 1) => {
  const at = year * 12 + month - 1 + by;
  return { year: Math.floor(at / 12), month: (at % 12) + 1 };
};

// Every day that is shown, with its date.
function datedDays(box) {
  const days = daysIn(box);
  const runs = monthsOf(days);
  const months = [];
  for (const run of runs) {
    const stated = statedDate(days[run[0]]);
    const heading = stated ?? headingOf(days, run, box) ?? (months.length ? nextMonth(months.at(-1)) : null);
    if (!heading) return { days: [], months: [] };
    months.push({ year: heading.year, month: heading.month });
  }
  for (const [at, day] of days.entries()) {
    const own = statedDate(day);
    const of = runs.findIndex(([first, last]) => at >= first && at <= last);
    if (own) day.date = isoOf(own);
    else if (of >= 0) day.date = isoOf({ ...months[of], day: day.number });
    day.inMonth = of >= 0;
  }
  return { days, months };
}

// A grid stands for the calendar around it, where its head and its buttons are.
function calendarBox(element) {
  let box = element;
  for (
    let at = element, up = 0;
    isElement(at) && up < 5 && !matches(at, "form,body,main");
    at = parentOf(at), up += 1
  ) {
    box = at;
    if (movesIn(at, daysIn(at)).length >= 2 || matches(at, "[role=dialog],dialog")) break;
  }
  return box;
}

const PRESSABLES = "button,[role=button],a,[class*=next],[class*=prev]";
const NEXT_WORDS =
  /next|forward|later|following|nächst|weiter|suivant|siguiente|seguinte|próxim|prossim|successiv|volgende|nästa|neste|næste|następn|следующ|次|翌|下|다음|[›»→>]|chevron-?right|arrow-?right/i;
const PREV_WORDS =
  /prev|earlier|vorig|vorher|zurück|précédent|anterior|precedent|vorige|föregående|forrige|poprzedn|предыдущ|前|上|이전|[‹«←<]|chevron-?left|arrow-?left/i;
const YEAR_WORDS = /year|jahr|année|año|anno\b|\bano\b|jaar|\bår\b|год|年|[»«]|double|super/i;
const DONE_WORDS =
  /^(ok|okay|apply|done|choose|select|set|confirm|accept|übernehmen|anwenden|valider|aceptar|aplicar|確定|决定|确定|확인)(?!\p{L})/iu;

function movesIn(box, days) {
  const moves = [];
  for (const button of cssAll(box, PRESSABLES)) {
    if (!isShown(button) || days.some(({ leaf }) => contains(button, leaf) || leaf === button)) continue;
    if (moves.some((one) => contains(one.button, button) || contains(button, one.button))) continue;
    const said = [nameOf(button), attribute(button, "title")].join(" ").trim() || attribute(button, "class");
    const all = `${said} ${attribute(button, "class")}`;
    const next = NEXT_WORDS.test(said) || (!PREV_WORDS.test(said) && NEXT_WORDS.test(all));
    const back = PREV_WORDS.test(said) || (!NEXT_WORDS.test(said) && PREV_WORDS.test(all));
    if (next === back) continue;
    moves.push({
      button,
      forward: next,
      year: YEAR_WORDS.test(said),
      disabled: isBarred(button) || /(^|[\s_-])disabled($|\s)/.test(attribute(button, "class")),
    });
  }
  return moves;
}

function dayFacts(day) {
  const press = closest(day.leaf, "button,[role=button],a,[role=gridcell],[role=option],td,[tabindex]") ?? day.leaf;
  const cell = closest(press, "td,[role=gridcell]") ?? press;
  const all = [...new Set([day.leaf, press, cell])];
  const barred = (one) => isBarred(one) || /(^|[\s_-])(disabled|unselectable)($|\s)/.test(attribute(one, "class"));
  const told = all.some((one) => onState(one) !== null);
  return {
    ref: describe(press).ref,
    date: day.date,
    on: all.some((one) => onState(one) === true),
    told,
    disabled: all.some(barred),
  };
}

function chosenDay(element) {
  const { days } = datedDays(calendarBox(element));
  return days
    .filter((day) => day.date && day.inMonth)
    .map(dayFacts)
    .filter((day) => day.on)
    .map((day) => day.date)
    .join(", ");
}

// Lists of months and of years in a calendar's head.
function headSelects(box) {
  const found = {};
  for (const select of cssAll(box, "select")) {
    const labels = optionsOf(select);
    const months = labels.map(({ label }) => monthIn(folded(label)));
    if (labels.length <= 12 && months.filter(Boolean).length === labels.length && labels.length > 0) {
      found.month = {
        ref: describe(select).ref,
        labels: Object.fromEntries(labels.map(({ label }, at) => [months[at], label])),
      };
    } else if (labels.length && labels.every(({ label }) => /^\d{4}$/.test(label))) {
      found.year = { ref: describe(select).ref, labels: Object.fromEntries(labels.map(({ label }) => [label, label])) };
    }
  }
  return found;
}

// What a calendar shows, and the day that is asked for if it is among it.
function calendarNow(ref, iso) {
  const { node } = deref(Number(ref.slice(1)));
  if (!node || !isShown(node)) return null;
  const box = calendarBox(node);
  const { days, months } = datedDays(box);
  // A day of the month before or after may be shown, and yet be chosen only in its own.
  const there = days.filter((day) => day.date === iso);
  const day = there.find((one) => one.inMonth) ?? there.find((one) => !dayFacts(one).disabled);
  const moves = movesIn(box, days).map(({ button, ...one }) => ({ ref: describe(button).ref, ...one }));
  const done = [...cssAll(box, "button,[role=button]")].find((one) => isShown(one) && DONE_WORDS.test(nameOf(one)));
  const home = days.find((one) => one.inMonth && hasAttribute(closest(one.leaf, "[tabindex]") ?? one.leaf, "tabindex"));
  return {
    months: months.map(({ year, month }) => [year, month]),
    day: day ? dayFacts(day) : null,
    moves,
    selects: headSelects(box),
    done: done ? describe(done).ref : "",
    home: home ? dayFacts(home).ref : "",
  };
}

// Waits until a calendar shows other months than before.
async function calendarTurned(ref, iso, before, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const now = calendarNow(ref, iso);
    if (!now || JSON.stringify(now.months) !== JSON.stringify(before)) return now;
    const left = end - performance.now();
    if (left <= 0) return now;
    await nextChange(left);
  }
}

// Waits until a calendar is gone; what it shows, if it stays.
async function calendarGone(ref, iso, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const now = calendarNow(ref, iso);
    const left = end - performance.now();
    if (!now || left <= 0) return now;
    await nextChange(left);
  }
}

// Waits until an element stays where it is: a key that turns a calendar may scroll the page as well.
async function steady(ref, ms) {
  const end = performance.now() + ms;
  let still = 0;
  let before = null;
  while (performance.now() < end && still < STEADY_FRAMES) {
    const { node } = deref(Number(ref.slice(1)));
    if (!node) return;
    const { x, y } = boxOf(node);
    still = before && before.x === x && before.y === y ? still + 1 : 0;
    before = { x, y };
    await nextFrame();
  }
}
