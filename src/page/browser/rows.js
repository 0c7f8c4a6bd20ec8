/**
 * @import { PageData, PagePerson, PageUnit } from '../wire.ts'
 *
 * @typedef {{ unit: PageUnit, index: number, key: string, children: Unit[], people: Person[], text: string }} Unit
 * @typedef {{ person: PagePerson, key: string, text: string }} Person
 * @typedef {{ units: Unit[], roots: Unit[] }} Model
 *
 * What the reader wants to see: all of `words` in a record, one of `kinds` ("unit move", "person create") where any
 * is chosen; `toggled` has the keys of what was folded or unfolded against its default.
 * @typedef {{ words: string[], kinds: Set<string>, heldOnly: boolean, unfolded: boolean, toggled: Set<string> }} View
 *
 * @typedef {{ is: 'unit', unit: Unit, depth: number, people: Person[], hasUnits: boolean, isOpen: boolean, showsPeople: boolean }} UnitRow
 * @typedef {{ is: 'person', person: Person, unit: Unit, depth: number }} PersonRow
 * @typedef {UnitRow | PersonRow} Row
 * @typedef {{ rows: Row[], units: number, people: number }} Rows
 */

/**
 * Returns a text as it is compared: without case and accents.
 * @param {string} text
 */
export function foldText(text) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

const collator = new Intl.Collator(undefined, { numeric: true });

/**
 * Returns the records as a tree, each with what is searched in it: names and ids, also those before the change.
 * @param {PageData} data
 * @returns {Model}
 */
export function modelOf(data) {
  const order = Object.keys(data.kinds);
  /** @type {Unit[]} */
  const units = data.units.map((unit, index) => ({
    unit,
    index,
    key: `unit ${index}`,
    children: [],
    people: [],
    text: textOf(unit, [unit.name, unit.id]),
  }));
  data.people.forEach((person, index) => {
    const text = textOf(person, [person.name, person.username, person.id]);
    units[person.unit]?.people.push({ person, key: `person ${index}`, text });
  });
  for (const { people } of units) {
    people.sort(
      ({ person: a }, { person: b }) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) ||
        collator.compare(a.name || a.username, b.name || b.username),
    );
  }
  return { units, roots: rootsOf(units) };
}

const NAMES = new Set(['id', 'name', 'username']);

/**
 * @param {PagePerson | PageUnit} change
 * @param {string[]} names
 */
function textOf(change, names) {
  const before = change.fields.flatMap(([field, from]) =>
    NAMES.has(field) && typeof from === 'string' ? [from] : [],
  );
  return foldText([...names, ...before].join('\n'));
}

/**
 * Links parents and children, by name. Units that stand above each other in a circle have no top, and are put there.
 * @param {Unit[]} units
 */
function rootsOf(units) {
  /** @type {Unit[]} */
  const roots = [];
  for (const one of units) {
    const parent = one.unit.parent === null || isAbove(one, units) ? undefined : units[one.unit.parent];
    (parent?.children ?? roots).push(one);
  }
  for (const { children } of units) children.sort(byName);
  return roots.toSorted(byName);
}

/**
 * @param {Unit} a
 * @param {Unit} b
 */
function byName(a, b) {
  return collator.compare(a.unit.name, b.unit.name);
}

/**
 * Returns whether a unit stands above itself.
 * @param {Unit} one
 * @param {Unit[]} units
 */
function isAbove(one, units) {
  let next = one.unit.parent;
  for (let steps = 0; next !== null && steps <= units.length; steps += 1) {
    if (next === one.index) return true;
    next = units[next]?.unit.parent ?? null;
  }
  return false;
}

/** @param {View} view */
export function isFiltering({ words, kinds, heldOnly }) {
  return words.length > 0 || kinds.size > 0 || heldOnly;
}

/**
 * Returns the rows to show, units before what is below them, and how many changes match.
 * @param {Model} model
 * @param {View} view
 * @returns {Rows}
 */
export function rowsOf({ units, roots }, view) {
  const found = units.map((unit) => findIn(unit, view));
  const needed = neededUnits(units, found);
  /** @type {Row[]} */
  const rows = [];
  /** @type {(unit: Unit, depth: number) => void} */
  const walk = (unit, depth) => {
    const { people = [], opens = false } = found[unit.index] ?? {};
    const children = unit.children.filter(({ index }) => needed.has(index));
    const isOpen = !view.toggled.has(unit.key);
    const showsPeople = people.length > 0 && opens !== view.toggled.has(`people of ${unit.key}`);
    rows.push({ is: 'unit', unit, depth, people, hasUnits: children.length > 0, isOpen, showsPeople });
    if (showsPeople) for (const person of people) rows.push({ is: 'person', person, unit, depth: depth + 1 });
    if (isOpen) for (const child of children) walk(child, depth + 1);
  };
  for (const root of roots) if (needed.has(root.index)) walk(root, 0);
  const sum = (/** @type {(one: Found) => number} */ count) =>
    found.reduce((all, one) => all + count(one), 0);
  return { rows, units: sum(({ isMatch }) => Number(isMatch)), people: sum((one) => one.people.length) };
}

/**
 * `isMatch`: the unit's own change is wanted; `opens`: its people are shown unless folded.
 * @typedef {{ isMatch: boolean, people: Person[], opens: boolean }} Found
 */

/**
 * @param {Unit} one
 * @param {View} view
 * @returns {Found}
 */
function findIn({ unit, people, text }, view) {
  const isNamed = hasWords(text, view.words);
  const isMatch = unit.kind !== null && isNamed && isWanted('unit', unit.kind, unit.held, view);
  const wanted = people.filter(({ person }) => isWanted('person', person.kind, person.held, view));
  const matching = wanted.filter((person) => hasWords(person.text, view.words));
  // Who looks for a unit looks for its people, too.
  const isAsked = isNamed && view.words.length > 0;
  const opens = view.unfolded || (isFiltering(view) && matching.length > 0);
  return { isMatch, people: isAsked ? wanted : matching, opens };
}

/**
 * @param {string} text
 * @param {string[]} words
 */
function hasWords(text, words) {
  return words.every((word) => text.includes(word));
}

/**
 * @param {'unit' | 'person'} subject
 * @param {string} kind
 * @param {boolean} held
 * @param {View} view
 */
function isWanted(subject, kind, held, { kinds, heldOnly }) {
  return (kinds.size === 0 || kinds.has(`${subject} ${kind}`)) && (held || !heldOnly);
}

/**
 * Returns the units that match or have people to show, and those above them.
 * @param {Unit[]} units
 * @param {Found[]} found
 */
function neededUnits(units, found) {
  /** @type {Set<number>} */
  const needed = new Set();
  found.forEach(({ isMatch, people }, index) => {
    /** @type {number | null} */
    let next = isMatch || people.length > 0 ? index : null;
    while (next !== null && !needed.has(next)) {
      needed.add(next);
      next = units[next]?.unit.parent ?? null;
    }
  });
  return needed;
}
