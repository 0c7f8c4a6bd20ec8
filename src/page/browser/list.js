import { button, counted, foreign, make } from './elements.js';

/**
 * @import { PageData, PageField, PageValue } from '../wire.ts'
 * @import { Person, PersonRow, Row, UnitRow } from './rows.js'
 *
 * @typedef {{ kinds: PageData['kinds'], shown: (row: PersonRow | UnitRow) => boolean, toggle: (key: string) => void }} Drawing
 */

/**
 * Draws rows as lists within lists. `rows` begins at depth 0, and none is more than one deeper than the one before.
 * @param {readonly Row[]} rows
 * @param {Drawing} drawing
 */
export function drawRows(rows, drawing) {
  const top = make('ul', { role: 'list', class: 'tree' });
  /** @type {HTMLElement[]} */
  const lists = [top];
  /** @type {HTMLElement} */
  let last = top;
  for (const row of rows) {
    const item = row.is === 'unit' ? unitItem(row, drawing) : personItem(row, drawing);
    lists.length = Math.min(lists.length, row.depth + 1);
    let list = lists[row.depth];
    if (list === undefined) {
      list = make('ul', { role: 'list' });
      last.append(list);
      lists.push(list);
    }
    list.append(item);
    last = item;
  }
  return top;
}

/**
 * @param {string | null} kind
 * @param {Drawing} drawing
 */
function signOf(kind, { kinds }) {
  const { sign, tone } = (kind === null ? undefined : kinds[kind]) ?? { sign: '', tone: 'quiet' };
  return make('span', { class: `sign ${tone}`, 'aria-hidden': 'true' }, sign);
}

/**
 * Makes the line of a record: its sign stays at the left of all that is said of it.
 * @param {Node} sign
 * @param {string} why
 * @param {...Node} said
 */
function lineOf(sign, why, ...said) {
  const reason = why === '' ? [] : [make('span', { class: 'why' }, foreign(why))];
  return make('div', { class: 'line' }, sign, make('div', { class: 'said' }, ...said, ...reason));
}

/**
 * @param {UnitRow} row
 * @param {Drawing} drawing
 */
function unitItem(row, drawing) {
  const { unit, key } = row.unit;
  const name = [foreign(unit.name), ...(unit.kind === null ? [] : [' ', kindTag(unit.kind)])];
  const folding = { isOpen: row.isOpen, toggle: drawing.toggle };
  const said = [
    row.hasUnits ? foldButton('unit', key, folding, name) : make('span', { class: 'unit' }, ...name),
    ...(unit.note === '' ? [] : [heldTag(unit.note)]),
    ...(row.people.length > 0 ? [peopleButton(row, drawing)] : []),
  ];
  const item = make('li', { class: 'of-unit' }, lineOf(signOf(unit.kind, drawing), unit.why, ...said));
  if (unit.fields.length > 0 && drawing.shown(row)) item.append(fieldTable(unit.fields));
  return item;
}

/**
 * @param {UnitRow} row
 * @param {Drawing} drawing
 */
function peopleButton({ unit: { key }, people, showsPeople }, drawing) {
  const text = counted(people.length, 'person', 'people');
  const folding = { isOpen: showsPeople, toggle: drawing.toggle };
  return foldButton('people', `people of ${key}`, folding, [text, ...signCounts(people, drawing)]);
}

/**
 * Returns how many there are of each sign, with the kinds in words for who hears the page.
 * @param {readonly Person[]} people
 * @param {Drawing} drawing
 */
function signCounts(people, drawing) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { person } of people) counts.set(person.kind, (counts.get(person.kind) ?? 0) + 1);
  return Array.from(counts, ([kind, n]) =>
    make(
      'span',
      { class: 'count' },
      ' ',
      signOf(kind, drawing),
      `${n}`,
      make('span', { class: 'unseen' }, ` ${kind}`),
    ),
  );
}

/**
 * @param {PersonRow} row
 * @param {Drawing} drawing
 */
function personItem(row, drawing) {
  const { person, key } = row.person;
  const { name, username, id, why, fields } = person;
  const isOpen = fields.length > 0 && drawing.shown(row);
  const who = [
    foreign(name === '' ? username : name),
    ' ',
    make('span', { class: 'ids' }, foreign(username), ' (', foreign(id), ')'),
    ' ',
    kindTag(person.kind),
  ];
  const folding = { isOpen, toggle: drawing.toggle };
  const said = [
    fields.length > 0 ? foldButton('person', key, folding, who) : make('span', { class: 'person' }, ...who),
    ...(person.note === '' ? [] : [heldTag(person.note)]),
  ];
  const item = make('li', { class: 'of-person' }, lineOf(signOf(person.kind, drawing), why, ...said));
  if (isOpen) item.append(fieldTable(fields));
  return item;
}

/** @param {string} kind */
function kindTag(kind) {
  return make('span', { class: 'kind' }, kind);
}

/** @param {string} note */
function heldTag(note) {
  return make('span', { class: 'held' }, note);
}

/**
 * Makes a button that folds what is below it.
 * @param {string} what
 * @param {string} key
 * @param {{ isOpen: boolean, toggle: (key: string) => void }} folding
 * @param {(Node | string)[]} content
 */
function foldButton(what, key, { isOpen, toggle }, content) {
  const attributes = { class: `fold ${what}`, 'aria-expanded': `${isOpen}` };
  const element = button(attributes, () => toggle(key), ...content);
  element.dataset['key'] = key;
  return element;
}

/** @param {readonly PageField[]} fields */
function fieldTable(fields) {
  const table = make('table', { class: 'fields' });
  const isNew = fields.every(([, from]) => from === null);
  const heads = isNew ? ['Field', 'New'] : ['Field', 'Old', 'New'];
  const row = make('tr', { role: 'row' }, ...heads.map((head) => make('th', { role: 'columnheader' }, head)));
  table.setAttribute('role', 'table');
  table.append(make('thead', { role: 'rowgroup' }, row), make('tbody', { role: 'rowgroup' }));
  for (const [name, from, to] of fields) {
    const cells = isNew ? [cell(to, 'to')] : [cell(from, 'from'), cell(to, 'to')];
    const head = make('th', { role: 'rowheader' }, foreign(name));
    head.scope = 'row';
    table.tBodies[0]?.append(make('tr', { role: 'row' }, head, ...cells));
  }
  return table;
}

/**
 * @param {PageValue} value
 * @param {'from' | 'to'} side
 */
function cell(value, side) {
  const lines = value === null ? [] : typeof value === 'string' ? [value] : value;
  const shown = lines.filter((line) => line !== '');
  const content =
    shown.length === 0
      ? [make('span', { class: 'none' }, 'none')]
      : shown.map((line) => make('div', {}, foreign(line)));
  return make('td', { role: 'cell', class: side }, ...content);
}
