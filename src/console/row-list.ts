import { Markup, markup } from '../page/markup.ts';
import type { Row } from '../report/rows.ts';

/** Returns rows as a list of names with their values. */
export const rowList = (rows: readonly Row[]): Markup => markup`<dl class="rows">${rows.map(rowOf)}</dl>`;

function rowOf({ name, value, note = '', tone, below = [] }: Row): Markup {
  const lines = below.map((line) => markup`<div class="below"><bdi>${line}</bdi></div>`);
  const rule = note === '' ? '' : markup` <span class="quiet"><bdi>${note}</bdi></span>`;
  const kind = name === '' || name.startsWith(' ') ? '' : 'title';
  return markup`<div class="${kind}"><dt><bdi>${name.trim()}</bdi></dt><dd class="${tone ?? ''}"><bdi>${value}</bdi>${rule}${lines}</dd></div>`;
}
