/**
 * @import { PageChange, PageData, PageField, PageValue } from '../wire.ts'
 *
 * A change with where it stands, and what is searched in it.
 * @typedef {{ change: PageChange, place: string, text: string }} Row
 *
 * What the reader wants to see: all of `words` in a record, one of `kinds` ("unit move") where any is chosen.
 * @typedef {{ query: string, words: string[], kinds: Set<string>, heldOnly: boolean }} View
 *
 * @typedef {{ class?: string, id?: string, type?: string, for?: string, [name: `aria-${string}`]: string }} Attributes
 * @typedef {Node | string} Child
 */

/** Rows that stand in the page at a time, so that it answers at once whatever the size of the plan. */
const PAGE = 200;

const collator = new Intl.Collator(undefined, { numeric: true });

/** Shows the list of changes, and what chooses among them. */
class PlanPage {
  /** @type {View} */
  view = { query: '', words: [], kinds: new Set(), heldOnly: false };
  /** @type {readonly Row[]} */
  found = [];
  first = 0;
  status = make('p', { class: 'status' });
  list = make('div', { class: 'list' });
  back = button({ class: 'plain' }, () => this.#turn(-PAGE), '‹ Previous');
  next = button({ class: 'plain' }, () => this.#turn(PAGE), 'Next ›');
  where = make('span', {});
  pager = make('nav', { 'aria-label': 'Rows' }, this.back, this.where, this.next);

  /**
   * @param {PageData} data
   * @param {Element} place
   */
  constructor(data, place) {
    this.data = data;
    this.rows = rowsOf(data);
    this.status.setAttribute('role', 'status');
    place.append(this.#search(), this.status, this.pager, this.list);
    this.list.tabIndex = -1;
    this.#choose({});
  }

  /**
   * Changes what is looked for.
   * @param {Partial<View>} change
   */
  #choose(change) {
    this.view = { ...this.view, ...change };
    this.first = 0;
    this.found = this.rows.filter((row) => this.#isWanted(row));
    this.status.replaceChildren(...this.#statusText());
    this.#draw();
  }

  /** @param {Row} row */
  #isWanted({ change: { subject, kind, held }, text }) {
    const { words, kinds, heldOnly } = this.view;
    const isKind = kinds.size === 0 || kinds.has(`${subject} ${kind}`);
    return isKind && (held || !heldOnly) && words.every((word) => text.includes(word));
  }

  #search() {
    const input = make('input', { type: 'search', id: 'search' });
    input.autocomplete = 'off';
    input.spellcheck = false;
    input.addEventListener('input', () => {
      const query = input.value.trim();
      this.#choose({ query, words: foldText(query).split(/\s+/u).filter(Boolean) });
    });
    const label = make('label', { for: 'search' }, 'Search by name, username, id or unit');
    const search = make('div', { class: 'search' }, label, input);
    search.setAttribute('role', 'search');
    return search;
  }

  /** Returns buttons of the counts: each shows its kind alone, together with others that are pressed. */
  filters() {
    /** @type {(subject: string, title: string) => Node[]} */
    const group = (subject, title) => {
      const chips = Object.entries(this.data.kinds).flatMap(([kind, { sign, tone }]) => {
        const n = this.rows.filter(({ change }) => change.subject === subject && change.kind === kind).length;
        const toggle = () => this.#toggleKind(`${subject} ${kind}`);
        return n === 0 ? [] : [chip(toggle, signOf(sign, tone), ` ${n.toLocaleString('en')} ${kind}`)];
      });
      return chips.length === 0 ? [] : [chipGroup(title, chips)];
    };
    const held = this.rows.filter(({ change }) => change.held).length;
    const toggle = () => this.#choose({ heldOnly: !this.view.heldOnly });
    const guards = held === 0 ? [] : [chip(toggle, `${held.toLocaleString('en')} held`)];
    return [
      ...group('unit', 'Units'),
      ...group('person', 'People'),
      ...(guards.length === 0 ? [] : [chipGroup('Guards', guards)]),
    ];
  }

  /** @param {string} kind */
  #toggleKind(kind) {
    const kinds = new Set(this.view.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.#choose({ kinds });
  }

  #statusText() {
    const { query, kinds, heldOnly } = this.view;
    const matching = query === '' ? [] : [' for “', foreign(query), '”'];
    if (query === '' && kinds.size === 0 && !heldOnly)
      return [`All ${counted(this.rows.length, 'change', 'changes')} are listed.`];
    return [counted(this.found.length, 'change matches', 'changes match'), ...matching, '.'];
  }

  #draw() {
    const { length } = this.found;
    const last = Math.min(this.first + PAGE, length);
    /** @type {Node[]} */
    const drawn = [];
    let place = '';
    for (const row of this.found.slice(this.first, last)) {
      if (row.place !== place) drawn.push(make('h3', {}, foreign(row.place)), make('ul', { class: 'rows' }));
      ({ place } = row);
      drawn.at(-1)?.appendChild(this.#item(row.change));
    }
    this.list.replaceChildren(...drawn);
    this.pager.hidden = length <= PAGE;
    this.back.disabled = this.first === 0;
    this.next.disabled = last === length;
    this.where.textContent = `Rows ${[this.first + 1, last].map((n) => n.toLocaleString('en')).join('–')} of ${length.toLocaleString('en')}`;
  }

  /** @param {number} by */
  #turn(by) {
    this.first = Math.max(0, this.first + by);
    this.#draw();
    this.list.focus({ preventScroll: true });
    this.list.scrollIntoView();
  }

  /** @param {PageChange} change */
  #item({ kind, name, username, id, note, why, fields }) {
    const { sign, tone } = this.data.kinds[kind] ?? { sign: '', tone: 'quiet' };
    const line = [
      signOf(sign, tone),
      ' ',
      make('strong', {}, foreign(name === '' ? username : name)),
      ' ',
      make(
        'span',
        { class: 'ids' },
        ...(username === '' ? [] : [foreign(username), ' ']),
        '(',
        foreign(id),
        ')',
      ),
      ` ${kind} `,
      ...(note === '' ? [] : [make('span', { class: 'held' }, note), ' ']),
      make('span', { class: 'why' }, foreign(why)),
    ];
    if (fields.length === 0) return make('li', { class: 'line' }, ...line);
    const details = make('details', {}, make('summary', { class: 'line' }, ...line), fieldTable(fields));
    // A new account has much to it, and nothing to compare.
    details.open = fields.some(([, from]) => from !== null);
    return make('li', {}, details);
  }
}

/**
 * Returns the changes by place, each with what is searched in it: names and ids, also those before the change.
 * @param {PageData} data
 * @returns {readonly Row[]}
 */
function rowsOf({ kinds, changes, places }) {
  const order = Object.keys(kinds);
  const rows = changes.map((change) => {
    const place = places[change.place] ?? '';
    const before = change.fields.flatMap(([field, from]) =>
      /^(?:id|name|username)$/u.test(field) && typeof from === 'string' ? [from] : [],
    );
    const text = foldText([change.name, change.username, change.id, place, ...before].join('\n'));
    return { change, place, text };
  });
  return rows.toSorted(
    ({ place: above, change: a }, { place: below, change: b }) =>
      collator.compare(above, below) ||
      Number(a.subject === 'person') - Number(b.subject === 'person') ||
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      collator.compare(a.name, b.name),
  );
}

/**
 * Returns a text as it is compared: without case and accents.
 * @param {string} text
 */
function foldText(text) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** @param {readonly PageField[]} fields */
function fieldTable(fields) {
  const isNew = fields.every(([, from]) => from === null);
  const heads = isNew ? ['Field', 'New'] : ['Field', 'Old', 'New'];
  const rows = fields.map(([name, from, to]) => {
    const cells = isNew ? [cell(to, 'to')] : [cell(from, 'from'), cell(to, 'to')];
    return make('tr', {}, make('th', {}, foreign(name)), ...cells);
  });
  const head = make('tr', {}, ...heads.map((text) => make('th', {}, text)));
  return make('table', { class: 'fields' }, make('thead', {}, head), make('tbody', {}, ...rows));
}

/**
 * @param {PageValue} value
 * @param {'from' | 'to'} side
 */
function cell(value, side) {
  const lines = value === null ? [] : typeof value === 'string' ? [value] : value;
  const shown = lines.filter((line) => line !== '').map((line) => make('div', {}, foreign(line)));
  return make('td', { class: side }, ...(shown.length === 0 ? [make('i', {}, 'none')] : shown));
}

/**
 * @param {string} sign
 * @param {string} tone
 */
function signOf(sign, tone) {
  return make('span', { class: `sign ${tone}`, 'aria-hidden': 'true' }, sign);
}

/**
 * @param {() => void} toggle
 * @param {...Child} content
 */
function chip(toggle, ...content) {
  const element = button(
    { class: 'chip', 'aria-pressed': 'false' },
    () => {
      element.setAttribute('aria-pressed', `${element.getAttribute('aria-pressed') !== 'true'}`);
      toggle();
    },
    ...content,
  );
  return element;
}

/**
 * @param {string} title
 * @param {Child[]} chips
 */
function chipGroup(title, chips) {
  return make('div', { class: 'chips' }, make('h3', {}, title), ...chips);
}

/**
 * Makes an element. Texts in it are text nodes: whatever they hold, they make no element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Makes text of somebody else: its direction does not spread to what stands beside it.
 * @param {string} text
 */
function foreign(text) {
  return make('bdi', {}, text);
}

/**
 * @param {Attributes} attributes
 * @param {() => void} onClick
 * @param {...Child} children
 */
function button(attributes, onClick, ...children) {
  const element = make('button', { type: 'button', ...attributes }, ...children);
  element.addEventListener('click', onClick);
  return element;
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
function counted(n, one, many) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Begins: reads what the page brings along, and draws it. */
function start() {
  const [data, place, filters] = ['data', 'list', 'filters'].map((id) => document.querySelector(`#${id}`));
  /** @type {PageData} */
  const plan = JSON.parse(data?.textContent ?? '');
  if (!place || plan.changes.length === 0) return;
  const page = new PlanPage(plan, place);
  filters?.replaceChildren(...page.filters());
}

start();
