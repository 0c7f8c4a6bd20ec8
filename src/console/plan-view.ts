import { readFileSync } from 'node:fs';
import { withoutContacts } from '../domain/text/hide.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import { timeText } from '../domain/text/local-time.ts';
import { assets } from '../page/assets.ts';
import { Markup, markup } from '../page/markup.ts';
import { endText } from '../report/describe-run.ts';
import { runLink } from './standing.ts';
import type { Asked, View } from './view.ts';

/** Shows the page that the last run has written, and what became of it. */
export const planView: View = (asked) => {
  const html = textOf(asked.planFile);
  if (html !== null) {
    const [, run = ''] = /<html lang="en" data-run="([\w-]*)">/u.exec(html) ?? [];
    const fate = markup`<p class="banner">${fateOf(asked, run)}</p>`;
    return { html, fate, policy: `${assets().policy}; frame-ancestors 'none'` };
  }
  return {
    title: 'Plan',
    body: [markup`<p>No run has made a plan since the console was switched on.</p>`],
  };
};

/** Returns what became of the plan of a run. */
function fateOf({ ledger, settings }: Asked, id: string): Markup {
  const zone = settings.sync.timezone;
  const [last] = ledger.runs.last(1);
  const run = ledger.runs.find(id);
  if (run === null) return markup`What became of this plan is not known.`;
  if (last !== undefined && last.id !== id)
    return markup`Superseded by ${runLink(last.id)}, which began at ${timeText(last.startedAt, zone)}. This is the plan of ${runLink(id)}.`;
  if (run.endedAt !== null) return endOf(run, zone);
  return ledger.lease.holder() === null
    ? markup`Interrupted: ${runLink(id)} has not ended. The next run finds out what was done.`
    : markup`Being applied now by ${runLink(id)}.`;
}

/** Returns what the run of the plan came to. */
function endOf(run: RunRecord, zone: string): Markup {
  const { id, result, report } = run;
  const { applied = 0, failed = 0, held = 0 } = report ?? {};
  const rest = [
    ...(failed > 0 ? [`, ${failed} failed`] : []),
    ...(held > 0 ? [`; ${held} held, waiting for approval`] : []),
  ].join('');
  const done = markup`${applied} applied by ${runLink(id)} at ${timeText(run.endedAt ?? 0, zone)}${rest}.`;
  if (result !== 'failed' && result !== 'stopped') return done;
  return markup`${done} <bdi class="alarm">${withoutContacts(endText(run, zone))}</bdi>`;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
