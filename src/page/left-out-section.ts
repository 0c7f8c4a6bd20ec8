import type { Plan } from '../domain/changes.ts';
import { plain, type Line } from '../domain/text/line.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { describeLeftOut } from '../plan/words/describe-left-out.ts';
import type { UnitLabels } from '../plan/words/unit-labels.ts';
import { markup, type Markup } from './markup.ts';

/** Returns what the plan leaves as it is, and why, as `rollcall plan` says it. */
export function leftOutSection(plan: Plan, labels: UnitLabels, leavers: SyncSettings['leavers']): Markup {
  const blocks = blocksOf(describeLeftOut(plan, { labels, leavers, paint: plain, all: false }));
  if (blocks.length === 0) return markup``;
  return markup`<section aria-labelledby="left-out">
<h2 id="left-out">Left as it is</h2>
${blocks.map(([title = '', ...lines]) => blockOf(title, lines))}
</section>`;
}

/** A line that is indented more than a reason has the names that belong to it. */
function blockOf(title: string, lines: readonly string[]): Markup {
  const items = lines.map((line) => {
    const text = line.trim().replace(/^! /u, '');
    return markup`<li class="${line.startsWith('    ') ? 'more' : 'reason'}"><bdi>${text}</bdi></li>`;
  });
  return markup`<h3><bdi>${title.replace(/:$/u, '')}</bdi></h3>
<ul class="reasons" role="list">${items}</ul>`;
}

/** Divides lines where one is empty. Values have no line breaks in them, so an empty line is never theirs. */
function blocksOf(lines: Iterable<Line>): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    const text = typeof line === 'string' ? line : line.head + line.text;
    if (text === '') blocks.push([]);
    else blocks.at(-1)?.push(text);
  }
  return blocks.filter(({ length }) => length > 0);
}
