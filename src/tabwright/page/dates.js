// Dates as pages write them: in attributes, in words of their language, in fields of their own.

const MOST_LOCALES = 6;

function localesHere() {
  const stated = [...queryAll(document, "[lang]")].slice(0, MOST_LOCALES).map((element) => attribute(element, "lang"));
  return [...new Set([...stated, ...navigator.languages, "en"])].filter(isLocale);
}

function isLocale(tag) {
  try {
    return Boolean(tag) && Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

let monthWords = null;

// The names of the months, long before short, in the languages that the page may be in.
function monthNames() {
  const key = localesHere().join();
  if (monthWords?.key === key) return monthWords.names;
  const names = new Map();
  for (const [month, day] of [
    ["long", undefined],
    ["long", "numeric"],
    ["short", undefined],
    ["short", "numeric"],
  ]) {
    for (const locale of localesHere()) {
      const format = new Intl.DateTimeFormat(locale, { month, day, timeZone: "UTC" });
      for (let at = 0; at < 12; at++) {
        const part = format.formatToParts(Date.UTC(2024, at, 15)).find((one) => one.type === "month");
        const name = folded(part?.value ?? "").replace(/\.$/, "");
        if (name && !/^\d/.test(name) && !names.has(name)) names.set(name, at + 1);
      }
    }
  }
  monthWords = { key, names };
  return names;
}

// A month as the browser's own fields spell it.
const monthWord = (month) =>
  new Intl.DateTimeFormat(navigator.language, { month: "long", timeZone: "UTC" }).format(Date.UTC(2024, month - 1, 15));

const isLetter = (char) => Boolean(char) && /[\p{L}\p{M}]/u.test(char);

function monthIn(text) {
  for (const [name, month] of monthNames()) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      if (!isLetter(text[at - 1]) && !isLetter(text[at + name.length])) return month;
    }
  }
  return null;
}

// Year, month and, where there is one, day of a text that names them; null when it names none.
function dateIn(text) {
  const said = folded(text);
  const iso = /(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(said);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: iso[3] ? Number(iso[3]) : null };
  const east = /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日일])?/.exec(said);
  if (east) return { year: Number(east[1]), month: Number(east[2]), day: east[3] ? Number(east[3]) : null };
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(said);
  const month = year && monthIn(said);
  if (!month) return null;
  const day = /(?<![\d:])(\d{1,2})(?![\d:])/.exec(said.replace(year[0], " "));
  return { year: Number(year[1]), month, day: day ? Number(day[1]) : null };
}

const twoDigits = (value) => String(value).padStart(2, "0");
const isoOf = ({ year, month, day }) => `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;

// Dates that a number of milliseconds may mean: midnight here, or in Greenwich.
function datesOfStamp(stamp) {
  const at = new Date(Number(stamp));
  return [
    { year: at.getFullYear(), month: at.getMonth() + 1, day: at.getDate() },
    { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() },
  ];
}

const PART_WORDS = {
  year: /\byear|jahr|^y{2,4}$|année|año\b/i,
  month: /\bmonth|monat|^m{1,3}$|\bmois\b|\bmes\b/i,
  day: /\bday\b(?!.?period)|\btag\b|^d{1,2}$|\bjour\b|\bdía\b/i,
  hour: /\bhours?\b|stunden?|^h{1,2}$|heures?|\bhoras?\b/i,
  minute: /\bminutes?\b|minuten?|minutos?/i,
  second: /\bseconds?\b|sekunden?|secondes?|segundos?/i,
  dayPeriod: /day.?period|am\s*\/\s*pm|meridiem|^a$/i,
};
const PARTED = new Set(["spin", "number", "text", "select", "combobox"]);

function partName(element) {
  const said = [
    attribute(element, "data-type"),
    attribute(element, "data-segment"),
    nameOf(element),
    attribute(element, "placeholder"),
    attribute(element, "name"),
    attribute(element, "id"),
  ];
  for (const text of said) {
    for (const [part, pattern] of Object.entries(PART_WORDS)) if (pattern.test(text.replace(/[_-]/g, " "))) return part;
  }
  for (const locale of localesHere()) {
    const names = new Intl.DisplayNames(locale, { type: "dateTimeField" });
    for (const part of Object.keys(PART_WORDS))
      if (folded(nameOf(element)).startsWith(folded(names.of(part)))) return part;
  }
  return "";
}

// The fields of a date that is entered in parts; none when any field is something else.
function momentParts(controls) {
  const parts = {};
  for (const element of controls) {
    if (!PARTED.has(kindOf(element))) continue;
    const part = partName(element);
    if (!part || part in parts) return {};
    parts[part] = element;
  }
  return parts;
}

const FORMAT = /(?<!\p{L})(\p{L}{1,4})\s?([/.\-\s])\s?(\p{L}{1,4})\s?\2\s?(\p{L}{1,4})(?!\p{L})/u;
const CALENDAR_WORDS = /calend|kalend|choose date|pick date|select date|date.?picker|datum|fecha|日付|日期|날짜/i;

// What tells that a text field takes a date: the order it asks for, or a calendar beside it.
function dateField(input) {
  const said = [
    attribute(input, "placeholder"),
    attribute(input, "data-date-format"),
    attribute(input, "aria-placeholder"),
    descriptionOf(input),
    nameOf(input),
  ];
  const format = said.map((text) => dateFormat(text)).find(Boolean) ?? null;
  let widget = /^(dialog|grid)$/.test(popupState(input) ?? "");
  let button = "";
  for (
    let at = input, up = 0;
    isElement(at) && up <= CLOSE_BY && !matches(at, "form,fieldset,body");
    at = parentOf(at), up += 1
  ) {
    widget ||= /date-?picker|hasdatepicker|flatpickr|calendar|datefield|picker-input/i.test(attribute(at, "class"));
    if (at === input) continue;
    if ([...queryAll(at, "input,select,textarea")].some((other) => other !== input && isShown(other))) break;
    const found = [...queryAll(at, "button,[role=button],a")].find(
      (one) =>
        isShown(one) && CALENDAR_WORDS.test(`${nameOf(one)} ${attribute(one, "title")} ${attribute(one, "class")}`),
    );
    if (found) button = describe(found).ref;
    if (button) break;
  }
  const readonly = Boolean(whyReadOnly(input));
  // One that cannot be typed into may have a calendar all the same, and one that holds a date has.
  const told = readonly || Boolean(dateIn(holding(input) ?? "")?.day);
  return format || widget || button || told ? { format, button, widget, readonly } : null;
}

function dateFormat(text) {
  const found = FORMAT.exec(text);
  if (!found) return null;
  const parts = [found[1], found[3], found[4]].map((part) =>
    /^m+$/i.test(part) ? "month" : part.length === 4 ? "year" : part.length <= 2 ? "day" : "",
  );
  if (new Set(parts).size !== 3 || parts.includes("")) return null;
  return { parts, separator: found[2], lengths: [found[1], found[3], found[4]].map((part) => part.length) };
}

// Whether a field's text means this date, in the order it asks for or, if it asks for none, in any.
function meansDate(ref, iso) {
  const { node } = deref(Number(ref.slice(1)));
  if (!node) return null;
  const text = holding(node) ?? squeezed(textContent(node));
  const [year, month, day] = iso.split("-").map(Number);
  const named = dateIn(text);
  if (named?.day) return { text, same: named.year === year && named.month === month && named.day === day };
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  if (numbers.length !== 3) return { text, same: false };
  const { format } = dateField(node) ?? {};
  const orders = format
    ? [format.parts]
    : [
        ["month", "day", "year"],
        ["day", "month", "year"],
        ["year", "month", "day"],
      ];
  const same = orders.some((order) => {
    const read = Object.fromEntries(order.map((part, at) => [part, numbers[at]]));
    return (read.year === year || read.year === year % 100) && read.month === month && read.day === day;
  });
  return { text, same };
}
