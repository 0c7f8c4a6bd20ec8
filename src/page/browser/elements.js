/**
 * @typedef {{ class?: string, id?: string, role?: string, type?: string, for?: string, [name: `aria-${string}`]: string }} Attributes
 * @typedef {Node | string} Child
 */

/**
 * Makes an element. Texts in it are text nodes: whatever they hold, they make no element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Makes text of somebody else: its direction does not spread to what stands beside it.
 * @param {string} text
 */
export function foreign(text) {
  return make('bdi', {}, text);
}

/**
 * @param {Attributes} attributes
 * @param {() => void} onClick
 * @param {...Child} children
 */
export function button(attributes, onClick, ...children) {
  const element = make('button', { type: 'button', ...attributes }, ...children);
  element.addEventListener('click', onClick);
  return element;
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export function counted(n, one, many) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}
