import { foreign } from '../../../page/browser/elements.js';

/**
 * Makes text of somebody else: inert, whatever it holds. Its hidden characters come escaped.
 * @param {string} text
 */
export function shown(text) {
  return foreign(text);
}

/** @param {number} at milliseconds */
export function timeOf(at) {
  const element = document.createElement('time');
  element.dateTime = new Date(at).toISOString();
  element.textContent = element.dateTime.replace('T', ' ').replace(/\.\d+Z$/u, '');
  return element;
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/** @param {string} section */
export function contentOf(section) {
  const element = byId(section).querySelector('.content');
  if (!(element instanceof HTMLElement)) throw new Error(`${section} has no content`);
  return element;
}

/**
 * Puts other elements in; the focus stays on the element of the same key, and the page where it was.
 * @param {HTMLElement} place
 * @param {readonly Node[]} children
 */
export function replace(place, children) {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const key = focused !== undefined && place.contains(focused) ? focused.dataset['key'] : undefined;
  const top = window.scrollY;
  place.replaceChildren(...children);
  const again = [...place.querySelectorAll('[data-key]')].find(
    (element) => element instanceof HTMLElement && element.dataset['key'] === key,
  );
  if (key !== undefined && again instanceof HTMLElement) again.focus({ preventScroll: true });
  window.scrollTo({ top, behavior: 'instant' });
}

/**
 * Asks the sandbox for a view, as JSON.
 * @param {string} address
 */
export async function ask(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the sandbox answers ${response.status}`);
  return response.text();
}

/**
 * A view that is asked for again and again, and drawn only where it differs.
 * @template View
 */
export class Refreshed {
  /** What was drawn, with the address it came from. */
  #drawn = { address: '', text: '' };
  /** @type {() => string} */
  #address;
  /** @type {(view: View) => void} */
  #draw;

  /**
   * @param {() => string} address
   * @param {(view: View) => void} draw
   */
  constructor(address, draw) {
    this.#address = address;
    this.#draw = draw;
  }

  /** Asks for it; an answer that comes after the address was changed is not drawn. */
  async refresh() {
    const address = this.#address();
    const text = await ask(address);
    if (address !== this.#address()) return;
    const same = address === this.#drawn.address && text === this.#drawn.text;
    this.#drawn = { address, text };
    if (!same) this.#draw(JSON.parse(text));
  }
}
