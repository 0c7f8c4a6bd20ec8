import { readFileSync } from 'node:fs';
import { assets } from '../page/assets.ts';
import { markup } from '../page/markup.ts';
import type { View } from './view.ts';

/** Shows the page that the last run has written. */
export const planView: View = ({ planFile }) => {
  const html = textOf(planFile);
  if (html !== null) return { html, policy: `${assets().policy}; frame-ancestors 'none'` };
  return {
    title: 'Plan',
    body: [markup`<p>No run has made a plan since the console was switched on.</p>`],
  };
};

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
