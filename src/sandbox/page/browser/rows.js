import { button, counted, make } from '../../../page/browser/elements.js';
import { contentOf, Refreshed, replace, shown, timeOf } from './shown.js';

/** @import { CallBodiesShown, CallRow, MediaRow, MessageRow, Paged, PersonRow, ScheduleRow } from '../wire.ts' */

/**
 * Shows a list page by page.
 * @template Row
 * @param {string} name
 * @param {(row: Row) => HTMLElement} line
 * @param {{ more?: () => string, seen?: (rows: readonly Row[]) => void }} [options]
 */
export function pagedList(name, line, { more = () => '', seen = () => undefined } = {}) {
  let page = 0;
  let last = more();
  const place = contentOf(name);
  const address = () => {
    if (more() !== last) page = 0;
    last = more();
    return `/sandbox/${name}?page=${page}${last}`;
  };
  /** @param {number} to */
  const go = (to) => {
    page = to;
    void list.refresh();
  };
  /** @type {Refreshed<Paged<Row>>} */
  const list = new Refreshed(address, (view) => {
    page = view.page;
    seen(view.rows);
    const rows = make('ul', { class: 'rows' }, ...view.rows.map(line));
    replace(place, [turning(view, go), rows]);
  });
  return list;
}

/**
 * Returns what turns the pages of a list; `key` tells it from the others.
 * @param {Paged<unknown>} view
 * @param {(to: number) => void} go
 */
export function turning({ page, pages, total }, go, key = '') {
  const status = make('span', { class: 'status', role: 'status' }, counted(total, 'entry', 'entries'));
  const earlier = button({ class: 'plain' }, () => go(page - 1), 'Previous');
  const later = button({ class: 'plain' }, () => go(page + 1), 'Next');
  earlier.dataset['key'] = `earlier${key}`;
  later.dataset['key'] = `later${key}`;
  earlier.disabled = page === 0;
  later.disabled = page + 1 >= pages;
  const where = pages > 1 ? [earlier, `Page ${page + 1} of ${pages}`, later] : [];
  return make('nav', { 'aria-label': 'Pages' }, status, ...where);
}

/** @param {PersonRow} person */
export function personLine({ id, username, name, locked, positions }) {
  const state = locked
    ? make('span', { class: 'held' }, 'locked')
    : make('span', { class: 'joins' }, 'enabled');
  const head = make('div', { class: 'said' }, make('strong', {}, shown(name)), shown(username), state);
  const places = positions.map((place) => make('div', { class: 'why' }, shown(place)));
  return make('li', {}, head, make('div', { class: 'ids' }, id), ...places);
}

/** @param {MessageRow} message */
export function messageLine({ id, type, shown: text, at, recipients, recipientCount, names }) {
  const head = make('div', { class: 'said quiet' }, timeOf(at), shown(type), `message ${id}`);
  const usernames = recipients.map(({ username }) => username).join(', ');
  const to = [counted(recipientCount, 'recipient', 'recipients'), ': ', shown(usernames)];
  if (recipientCount > recipients.length) to.push(', …');
  const named = names.map((one) => make('div', { class: 'why' }, shown(one)));
  const what = make('div', { class: 'text' }, shown(text === '' ? '(no text)' : text));
  return make('li', {}, head, what, make('div', { class: 'why' }, ...to), ...named);
}

/** @param {MediaRow} media */
export function mediaLine({ id, name, type, size, picture }) {
  const address = `/sandbox/media?id=${encodeURIComponent(id)}`;
  const link = make('a', {}, shown(name === '' ? id : name));
  link.href = address;
  link.dataset['key'] = id;
  const about = make('div', { class: 'why' }, shown(type), `, ${counted(size, 'byte', 'bytes')}, id ${id}`);
  const line = make('li', {}, link, about);
  if (!picture) return line;
  const image = make('img', {});
  image.src = `${address}&shown`;
  image.alt = '';
  image.loading = 'lazy';
  line.append(image);
  return line;
}

/** @param {ScheduleRow} schedule */
export function scheduleLine({ id, at, fields }) {
  const head = make('div', { class: 'said quiet' }, timeOf(at), `schedule ${id}`);
  return make('li', {}, head, make('pre', {}, shown(fields)));
}

/** Shows the last calls; the bodies of one are asked for when it is unfolded. */
export function callList() {
  /** @type {Map<number, CallBodiesShown>} Bodies of the calls that are unfolded. */
  const open = new Map();
  const place = contentOf('calls');

  /** @param {CallRow} call */
  const line = (call) => {
    const known = open.get(call.number);
    const element = make('details', {}, summary(call));
    element.open = known !== undefined;
    if (known !== undefined) element.append(...bodies(known));
    element.addEventListener('toggle', () => void turned(element, call.number));
    return make('li', {}, element);
  };

  /**
   * @param {HTMLDetailsElement} element
   * @param {number} number
   */
  const turned = async (element, number) => {
    if (!element.open) open.delete(number);
    if (!element.open || open.has(number)) return;
    const response = await fetch(`/sandbox/call?number=${number}`);
    /** @type {CallBodiesShown} */
    const known = response.ok ? await response.json() : { request: '', answer: '(not kept)' };
    if (!element.open) return;
    open.set(number, known);
    element.append(...bodies(known));
  };

  return new Refreshed(
    () => '/sandbox/calls',
    /** @param {readonly CallRow[]} calls */ (calls) => {
      const lines = calls.length === 0 ? [make('li', { class: 'quiet' }, 'No calls yet.')] : calls.map(line);
      replace(place, [make('ul', { class: 'rows' }, ...lines)]);
    },
  );
}

/** @param {CallRow} call */
function summary({ number, at, operation, method, path, outcome, ms }) {
  const took = make('span', { class: 'ms' }, ms === null ? '' : `${ms} ms`);
  const what = [make('strong', {}, shown(operation)), make('span', {}, shown(outcome)), took];
  const where = make('span', { class: 'why' }, shown(`${method} ${path}`));
  const element = make('summary', {}, make('span', { class: 'call' }, timeOf(at), ...what, where));
  element.dataset['key'] = String(number);
  return element;
}

/** @param {CallBodiesShown} bodies */
function bodies({ request, answer }) {
  return [part('Request', request), part('Answer', answer)];
}

/**
 * @param {string} title
 * @param {string} text
 */
function part(title, text) {
  return make(
    'div',
    {},
    make('span', { class: 'quiet' }, title),
    make('pre', {}, shown(text === '' ? '(empty)' : text)),
  );
}
