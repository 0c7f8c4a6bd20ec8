import { make } from '../../../page/browser/elements.js';
import { Refreshed } from './refreshed.js';
import { contentOf, replace, shown, timeOf } from './shown.js';

/** @import { CallBodiesShown, CallRow } from '../wire.ts' */

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
