import { markup } from '../page/markup.ts';
import { discreet } from '../page/discreet-plan.ts';
import { firstOf } from '../page/plan-page.ts';
import { runRows } from '../report/describe-run.ts';
import { historyItems } from './history-view.ts';
import { linkTo, pager } from './links.ts';
import { rowList } from './row-list.ts';
import type { View } from './view.ts';

const PAGE = 100;

/** Shows one run: why it began, how it ended, and what it applied in the order of writing. */
export const runView: View = (asked) => {
  const { ledger, settings, query } = asked;
  const run = query('id');
  const rows = discreet(runRows(ledger, run, settings.sync.timezone));
  const after = Math.max(0, Math.trunc(Number(query('after')))) || 0;
  const shown = [...firstOf(ledger.history.entries({ run, after }), PAGE + 1)];
  const last = shown.length > PAGE ? shown[PAGE - 1] : undefined;
  const next = last && linkTo('/console/run', { id: run, after: String(last.n) });
  return {
    title: `Run ${run}`,
    body: [
      rowList(rows),
      markup`<h2>Applied</h2>`,
      shown.length === 0
        ? markup`<p>The run applied nothing.</p>`
        : historyItems(asked, shown.slice(0, PAGE)),
      pager(after === 0 ? null : linkTo('/console/run', { id: run }), next ?? null, ['First', 'Next']),
    ],
  };
};
