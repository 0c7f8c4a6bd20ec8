import { Markup, markup } from '../page/markup.ts';
import { withoutContacts } from '../domain/text/hide.ts';
import { endText } from '../report/describe-run.ts';
import { standingLines, standingOf } from '../report/standing.ts';
import { linkTo } from './links.ts';
import type { Asked } from './view.ts';

export const runLink = (id: string): Markup =>
  markup`<a href="${linkTo('/console/run', { id })}">run ${id}</a>`;

/** Returns what every view says first: that the last run failed, and why; report mode, another daemon, a refused reload. */
export function aboveOf({
  ledger,
  settings,
  now,
}: Pick<Asked, 'ledger' | 'settings' | 'now'>): readonly Markup[] {
  const lines = standingLines(standingOf(settings, now));
  const standing = lines.map((line) => markup`<p class="banner"><bdi>${withoutContacts(line)}</bdi></p>`);
  const last = ledger.runs.last(2).find(({ result }) => result !== null);
  if (last?.result !== 'failed') return standing;
  const text = withoutContacts(endText(last, settings.sync.timezone));
  return [
    markup`<p class="banner alarm">The last run <bdi>${text}</bdi> (${runLink(last.id)})</p>`,
    ...standing,
  ];
}
