/**
 * @import { PageChange, PageData, PageField, PageValue } from '../wire.ts'
 *
 * A change with where it stands, and what is searched in it.
 * @typedef {{ change: PageChange, place: string, text: string }} Row
 *
 * What the reader wants to see: all of `words` in a record, one of `kinds` ("unit move") where any is chosen, what
 * `hash` releases where one is chosen.
 * @typedef {{ query: string, words: string[], kinds: Set<string>, heldOnly: boolean, hash: string }} View
 *
 * Changes that a guard holds: the card about them, its title, what releases them, and how many are listed.
 * @typedef {{ card: Element, title: string, hash: string, count: number }} Hold
 *
 * @typedef {{ class?: string, id?: string, type?: string, for?: string, [name: `aria-${string}`]: string }} Attributes
 * @typedef {Node | string} Child
 */

/** @type {View} */
const ALL = { query: '', words: [], kinds: new Set(), heldOnly: false, hash: '' };

/** Rows that stand in the page at a time, so that it answers at once whatever the size of the plan. */
const PAGE = 200;

const collator = new Intl.Collator(undefined, { numeric: true });

/** Shows the list of changes, and what chooses among them. */
class PlanPage {
  view = ALL;
  /** @type {readonly Row[]} */
  found = [];
  first = 0;
  /** @type {(() => void)[]} */
  chips = [];
  input = make('input', { type: 'search', id: 'search' });
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
    for (const refresh of this.chips) refresh();
    this.status.replaceChildren(...this.#statusText());
    this.#draw();
  }

  /** @param {Row} row */
  #isWanted({ change, text }) {
    const { words, kinds, heldOnly, hash } = this.view;
    const isKind = kinds.size === 0 || kinds.has(`${change.subject} ${change.kind}`);
    const isStanding = (change.held || !heldOnly) && (hash === '' || isHeldBy(change, hash));
    return isKind && isStanding && words.every((word) => text.includes(word));
  }

  #search() {
    const { input } = this;
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

  /**
   * Returns buttons of the counts: each shows its kind alone, together with others that are pressed.
   * @param {readonly Hold[]} holds
   */
  filters(holds) {
    /** @type {(subject: string, title: string) => Node[]} */
    const group = (subject, title) => {
      const chips = Object.entries(this.data.kinds).flatMap(([kind, { sign, tone }]) => {
        const n = this.rows.filter(({ change }) => change.subject === subject && change.kind === kind).length;
        const key = `${subject} ${kind}`;
        const isOn = () => this.view.kinds.has(key);
        const toggle = () => this.#toggleKind(key);
        const content = [signOf(sign, tone), ` ${n.toLocaleString('en')} ${kind}`];
        return n === 0 ? [] : [this.#chip(isOn, toggle, ...content)];
      });
      return chips.length === 0 ? [] : [chipGroup(title, chips)];
    };
    return [...group('unit', 'Units'), ...group('person', 'People'), ...this.#guards(holds)];
  }

  /**
   * Returns buttons of what each guard holds, and of all that is held.
   * @param {readonly Hold[]} holds
   */
  #guards(holds) {
    const held = this.rows.filter(({ change }) => change.held).length;
    if (held === 0) return [];
    const chips = holds.map(({ title, hash, count }) => {
      const isOn = () => this.view.hash === hash;
      const toggle = () => this.#choose({ hash: isOn() ? '' : hash });
      return this.#chip(isOn, toggle, `${title}: ${count.toLocaleString('en')}`);
    });
    const toggle = () => this.#choose({ heldOnly: !this.view.heldOnly });
    const all = this.#chip(() => this.view.heldOnly, toggle, `${held.toLocaleString('en')} held`);
    return [chipGroup('Guards', [...chips, all])];
  }

  /** @param {string} kind */
  #toggleKind(kind) {
    const kinds = new Set(this.view.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.#choose({ kinds });
  }

  /**
   * Shows what a hash releases, and nothing else.
   * @param {string} hash
   */
  show(hash) {
    this.input.value = '';
    this.#choose({ ...ALL, hash });
    this.status.scrollIntoView();
    this.list.focus({ preventScroll: true });
  }

  /**
   * @param {() => boolean} isOn
   * @param {() => void} toggle
   * @param {...Child} content
   */
  #chip(isOn, toggle, ...content) {
    const element = button({ class: 'chip', 'aria-pressed': 'false' }, toggle, ...content);
    this.chips.push(() => element.setAttribute('aria-pressed', `${isOn()}`));
    return element;
  }

  #statusText() {
    const { query, kinds, heldOnly, hash } = this.view;
    const matching = query === '' ? [] : [' for “', foreign(query), '”'];
    if (query === '' && kinds.size === 0 && !heldOnly && hash === '')
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
      drawn.at(-1)?.appendChild(this.#item(row));
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

  /** @param {Row} row */
  #item({ change: { kind, name, username, id, note, why, fields }, place }) {
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
    const called = [name === '' ? username : name, kind, place].join(', ');
    const summary = make('summary', { class: 'line', 'aria-label': called }, ...line);
    const details = make('details', {}, summary, fieldList(fields));
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

/**
 * Returns each field in a line, as `name: old → new`.
 * @param {readonly PageField[]} fields
 */
function fieldList(fields) {
  const isNew = fields.every(([, from]) => from === null);
  const items = fields.map(([name, from, to]) => {
    const before = isNew ? [] : [shownValue(from, 'from'), ' → '];
    return make(
      'li',
      {},
      make('span', { class: 'quiet' }, foreign(name), ':'),
      ' ',
      ...before,
      shownValue(to, 'to'),
    );
  });
  return make('ul', { class: 'fields' }, ...items);
}

/**
 * @param {PageValue} of
 * @param {'from' | 'to'} side
 */
function shownValue(of, side) {
  const texts = [of ?? []].flat().filter((text) => text !== '');
  const shown = texts.flatMap((text, index) => [...(index === 0 ? [] : ['; ']), foreign(text)]);
  return make('span', { class: side }, ...(shown.length === 0 ? [make('i', {}, 'none')] : shown));
}

/**
 * @param {string} sign
 * @param {string} tone
 */
function signOf(sign, tone) {
  return make('span', { class: `sign ${tone}`, 'aria-hidden': 'true' }, sign);
}

/** @type {(title: string, chips: Child[]) => HTMLElement} */
const chipGroup = (title, chips) => make('div', { class: 'chips' }, make('h3', {}, title), ...chips);

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

/** @type {(change: PageChange, hash: string) => boolean} */
const isHeldBy = ({ held, note }, hash) => held && note.split(/:? /u).includes(hash);

/**
 * Returns the cards about what guards hold.
 * @param {readonly PageChange[]} changes
 * @returns {readonly Hold[]}
 */
function holdsOf(changes) {
  return [...document.querySelectorAll('.hold')].map((card) => {
    const title = card.querySelector('h3')?.textContent ?? '';
    const hash = card.querySelector('.hash')?.textContent ?? '';
    return { card, title, hash, count: changes.filter((change) => isHeldBy(change, hash)).length };
  });
}

/**
 * Returns a button that copies a command; where the browser does not allow it, the command gets selected.
 * @param {Element} command
 * @param {string} title
 */
function copyButton(command, title) {
  /** @param {boolean} isDone */
  const finish = (isDone) => {
    if (!isDone) getSelection()?.selectAllChildren(command);
    element.removeAttribute('aria-label');
    element.textContent = isDone ? 'Copied' : 'Selected: press Ctrl+C';
  };
  const copy = () => {
    if (!isSecureContext) return finish(false);
    const copying = navigator.clipboard.writeText(command.textContent);
    void copying.then(
      () => finish(true),
      () => finish(false),
    );
  };
  const element = button({ class: 'plain', 'aria-label': `Copy the command for ${title}` }, copy, 'Copy');
  return element;
}

/** Begins: reads what the page brings along, and draws it. */
function start() {
  const [data, place, filters] = ['data', 'list', 'filters'].map((id) => document.querySelector(`#${id}`));
  /** @type {PageData} */
  const plan = JSON.parse(data?.textContent ?? '');
  const holds = holdsOf(plan.changes);
  for (const { card, title } of holds) {
    const command = card.querySelector('.release code');
    if (command) command.after(' ', copyButton(command, title));
  }
  if (!place || plan.changes.length === 0) return;
  const page = new PlanPage(plan, place);
  const listed = holds.filter(({ count }) => count > 0);
  filters?.replaceChildren(...page.filters(listed));
  for (const { card, hash, count } of listed) {
    const label = count === 1 ? 'Show this one' : `Show these ${count.toLocaleString('en')}`;
    card.querySelector('.names')?.after(button({ class: 'plain' }, () => page.show(hash), label));
  }
}

start();
