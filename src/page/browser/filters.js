import { button, make } from './elements.js';

/**
 * @import { PageData } from '../wire.ts'
 * @import { View } from './rows.js'
 */

/**
 * What the filters change.
 * @typedef {{ view: View, choose: (change: Partial<View>) => void }} Chooser
 */

/**
 * Makes buttons of the counts: each shows its kind alone, together with others that are pressed.
 * @param {Chooser} page
 * @param {PageData} data
 * @returns {Node[]}
 */
export function drawFilters(page, { units, people, kinds }) {
  /** @type {(subject: string, title: string, records: readonly { kind: string | null }[]) => Node[]} */
  const group = (subject, title, records) => {
    const chips = Object.entries(kinds).flatMap(([kind, { sign, tone }]) => {
      const n = records.filter((one) => one.kind === kind).length;
      const mark = make('span', { class: `sign ${tone}`, 'aria-hidden': 'true' }, sign);
      const toggle = () => toggleKind(page, `${subject} ${kind}`);
      return n === 0 ? [] : [chip(toggle, mark, ` ${n.toLocaleString('en')} ${kind}`)];
    });
    return chips.length === 0 ? [] : [chipGroup(title, chips)];
  };
  const held = [...units, ...people].filter((one) => one.held).length;
  const heldChip = chip(
    () => page.choose({ heldOnly: !page.view.heldOnly }),
    `${held.toLocaleString('en')} held`,
  );
  return [
    ...group('unit', 'Units', units),
    ...group('person', 'People', people),
    ...(held === 0 ? [] : [chipGroup('Guards', [heldChip])]),
  ];
}

/**
 * @param {Chooser} page
 * @param {string} kind
 */
function toggleKind(page, kind) {
  const kinds = new Set(page.view.kinds);
  if (!kinds.delete(kind)) kinds.add(kind);
  page.choose({ kinds });
}

/**
 * @param {() => void} toggle
 * @param {...(Node | string)} content
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
 * @param {readonly Node[]} chips
 */
function chipGroup(title, chips) {
  const heading = make('h3', {}, title);
  return make(
    'div',
    { class: 'chips', role: 'group', 'aria-label': `Show only: ${title}` },
    heading,
    ...chips,
  );
}
