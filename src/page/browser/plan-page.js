import { button, counted, foreign, make } from './elements.js';
import { drawRows } from './list.js';
import { drawFilters } from './filters.js';
import { foldText, isFiltering, modelOf, rowsOf } from './rows.js';

/**
 * @import { PageData } from '../wire.ts'
 * @import { PersonRow, Row, Rows, UnitRow, View } from './rows.js'
 */

/** Rows that stand in the page at a time, so that it answers at once whatever the size of the plan. */
const PAGE = 200;
/** Rows that are printed at most. */
const PRINTED = 2_000;

/** Shows the list of changes, and what chooses among them. */
class PlanPage {
  /** @type {View} */
  view = { words: [], kinds: new Set(), heldOnly: false, unfolded: false, toggled: new Set() };
  /** @type {Rows} */
  found = { rows: [], units: 0, people: 0 };
  first = 0;
  query = '';
  showsFields = true;
  status = make('p', { role: 'status', class: 'status' });
  list = make('div', { class: 'list', role: 'group', 'aria-label': 'Units and people' });
  pagers = [make('nav', { 'aria-label': 'Rows' }), make('nav', { 'aria-label': 'Rows, below the list' })];

  /**
   * @param {PageData} data
   * @param {HTMLElement} place
   */
  constructor(data, place) {
    this.data = data;
    this.model = modelOf(data);
    place.append(this.#tools(), this.status, this.pagers[0] ?? '', this.list, this.pagers[1] ?? '');
    this.list.tabIndex = -1;
    window.addEventListener('beforeprint', () => this.#draw(0, PRINTED));
    window.addEventListener('afterprint', () => this.#draw(this.first, PAGE));
    this.refresh();
  }

  /**
   * Shows what the view asks for: from its beginning, or with what was just folded or unfolded where it was.
   * @param {string | null} toggled
   */
  refresh(toggled = null) {
    this.found = rowsOf(this.model, this.view);
    const index = this.found.rows.findIndex((row) => toggled !== null && keysOf(row).includes(toggled));
    this.first = Math.min(this.first, Math.max(index, 0));
    this.status.replaceChildren(...this.#statusText());
    this.#draw(this.first, PAGE);
  }

  /**
   * Changes what is looked for; what was folded by hand no longer counts.
   * @param {Partial<View>} change
   */
  choose(change) {
    this.view = { ...this.view, ...change, toggled: new Set() };
    this.refresh();
  }

  /** @param {string} key */
  toggle(key) {
    if (!this.view.toggled.delete(key)) this.view.toggled.add(key);
    this.refresh(key);
    const folding = this.list.querySelector(`[data-key="${key}"]`);
    if (folding instanceof HTMLElement) folding.focus();
  }

  #tools() {
    const search = make('input', { type: 'search', id: 'search' });
    search.autocomplete = 'off';
    search.spellcheck = false;
    search.addEventListener('input', () => {
      this.query = search.value.trim();
      this.choose({ words: foldText(this.query).split(/\s+/u).filter(Boolean) });
    });
    const label = make('label', { for: 'search' }, 'Search by name, username or id');
    const fields = make('input', { type: 'checkbox', id: 'values' });
    fields.checked = true;
    fields.addEventListener('change', () => {
      this.showsFields = fields.checked;
      this.choose({});
    });
    return make(
      'div',
      { class: 'tools', role: 'search' },
      make('div', { class: 'search' }, label, search),
      make('div', { class: 'check' }, fields, make('label', { for: 'values' }, 'Old → new')),
      button({ class: 'plain' }, () => this.choose({ unfolded: true }), 'Unfold all'),
      button({ class: 'plain' }, () => this.#foldAll(), 'Fold all'),
    );
  }

  #foldAll() {
    this.choose({ unfolded: false });
    if (!isFiltering(this.view)) return;
    const open = this.found.rows.filter((row) => row.is === 'unit' && row.showsPeople);
    for (const { unit } of open) this.view.toggled.add(`people of ${unit.key}`);
    this.refresh();
  }

  #statusText() {
    const { units, people, rows } = this.found;
    const total = this.data.people.length + this.data.units.filter(({ kind }) => kind !== null).length;
    if (!isFiltering(this.view)) return [`All ${counted(total, 'change', 'changes')} are listed.`];
    const matching = this.query === '' ? [] : [' for “', foreign(this.query), '”'];
    if (rows.length === 0) {
      const isNarrowed = this.view.kinds.size > 0 || this.view.heldOnly;
      return ['Nothing matches', ...matching, isNarrowed ? ' among what is chosen above.' : '.'];
    }
    const parts = [
      ...(units === 0 ? [] : [counted(units, 'unit', 'units')]),
      ...(people === 0 ? [] : [counted(people, 'person', 'people')]),
    ];
    const found = counted(units + people, 'change matches', 'changes match');
    return [found, ...matching, ...(parts.length === 0 ? [] : [`: ${parts.join(', ')}`]), '.'];
  }

  /**
   * @param {number} first
   * @param {number} most
   */
  #draw(first, most) {
    const { rows } = this.found;
    const some = rows.slice(first, first + most);
    const above = aboveOf(rows, first);
    const drawing = {
      kinds: this.data.kinds,
      shown: (/** @type {PersonRow | UnitRow} */ row) => this.#showsFields(row),
      toggle: (/** @type {string} */ key) => this.toggle(key),
    };
    this.list.replaceChildren(rows.length === 0 ? '' : drawRows([...above, ...some], drawing));
    const left = rows.length - first - some.length;
    if (most === PRINTED && left > 0)
      this.list.append(make('p', {}, `… and ${counted(left, 'row', 'rows')} more, which are not printed.`));
    for (const pager of this.pagers) this.#drawPager(pager);
  }

  /**
   * Returns whether a record shows its fields: changed ones do unless folded, those of a new record do when asked.
   * @param {PersonRow | UnitRow} row
   */
  #showsFields(row) {
    if (row.is === 'unit') return this.showsFields;
    const { person, key } = row.person;
    const shown = this.showsFields && person.fields.some(([, from]) => from !== null);
    return shown !== this.view.toggled.has(key);
  }

  /** @param {HTMLElement} pager */
  #drawPager(pager) {
    const { length } = this.found.rows;
    pager.hidden = length <= PAGE;
    const last = Math.min(this.first + PAGE, length);
    const text = `Rows ${(this.first + 1).toLocaleString('en')}–${last.toLocaleString('en')} of ${length.toLocaleString('en')}`;
    const back = button({ class: 'plain' }, () => this.#turn(-PAGE), '‹ Previous');
    const next = button({ class: 'plain' }, () => this.#turn(PAGE), 'Next ›');
    back.disabled = this.first === 0;
    next.disabled = last === length;
    pager.replaceChildren(back, make('span', {}, text), next);
  }

  /** @param {number} by */
  #turn(by) {
    this.first = Math.max(0, this.first + by);
    this.#draw(this.first, PAGE);
    this.list.focus({ preventScroll: true });
    this.list.scrollIntoView();
  }
}

/**
 * Returns the keys by which a row is folded and unfolded.
 * @param {Row} row
 */
function keysOf(row) {
  return row.is === 'unit' ? [row.unit.key, `people of ${row.unit.key}`] : [row.person.key];
}

/**
 * Returns the units above a row, which a page that begins with it shows first.
 * @param {readonly Row[]} rows
 * @param {number} first
 */
function aboveOf(rows, first) {
  /** @type {Row[]} */
  const above = [];
  let depth = rows[first]?.depth ?? 0;
  for (let index = first - 1; index >= 0 && depth > 0; index -= 1) {
    const row = rows[index];
    if (row === undefined || row.is === 'person' || row.depth >= depth) continue;
    above.unshift(row);
    ({ depth } = row);
  }
  return above;
}

/** Begins: reads what the page brings along, and draws it. */
function start() {
  const [data, place, filters] = ['data', 'list', 'filters'].map((id) => document.querySelector(`#${id}`));
  /** @type {PageData} */
  const plan = JSON.parse(data?.textContent ?? '');
  if (!(place instanceof HTMLElement) || plan.people.length + plan.units.length === 0) return;
  const page = new PlanPage(plan, place);
  if (filters instanceof HTMLElement) filters.replaceChildren(...drawFilters(page, plan));
}

start();
