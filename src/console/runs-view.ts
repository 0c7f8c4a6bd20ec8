import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import { Markup, markup } from '../page/markup.ts';
import { timeText } from '../domain/text/local-time.ts';
import type { View } from './view.ts';

const RUNS = 100;

interface ShownRun {
  readonly id: string;
  readonly began: string;
  readonly kind: string;
  readonly result: string;
  readonly applied: number;
  readonly failed: number;
  readonly held: number;
  /** `null`: it has not ended. */
  readonly seconds: number | null;
}

function shownRun({ id, kind, startedAt, endedAt, result, report }: RunRecord): ShownRun {
  const { applied = 0, failed = 0, held = 0 } = report ?? {};
  return {
    id,
    kind,
    began: timeText(startedAt),
    result: result ?? 'not ended',
    applied,
    failed,
    held,
    seconds: endedAt === null ? null : Math.max(0, endedAt - startedAt) / 1000,
  };
}

const SERIES = [
  ['applied', 'Applied changes', 'joins'],
  ['failed', 'Failed records', 'leaves'],
  ['seconds', 'Seconds', 'moves'],
] as const;

const number = (n: number): string => n.toLocaleString('en', { maximumFractionDigits: n < 10 ? 1 : 0 });

/** Shows the last runs as charts, the oldest at the left, and as a table. */
export const runsView: View = ({ ledger }) => {
  const runs = ledger.runs.last(RUNS).map(shownRun);
  if (runs.length === 0) return { title: 'Runs', body: [markup`<p>No run has begun yet.</p>`] };
  const oldestFirst = runs.toReversed();
  const charts = SERIES.map(([series, title, tone]) => {
    const values = oldestFirst.map((run) => run[series] ?? 0);
    const about = `${title} of the last ${runs.length} runs: 0 to ${number(Math.max(...values))}`;
    return markup`<figure>
<figcaption>${about}</figcaption>
<svg role="img" aria-label="${about}" viewBox="0 0 ${RUNS * BAR} ${HEIGHT}" preserveAspectRatio="none">
${bars(values, oldestFirst, tone)}
</svg>
</figure>`;
  });
  const note = markup`<p class="quiet">The latest run is at the right. Heights are logarithmic. Times are UTC.</p>`;
  return { title: `Last ${runs.length} runs`, body: [note, ...charts, table(runs)] };
};

const BAR = 10;
const HEIGHT = 100;
/** Height of the smallest bar: one change of a run with thousands can still be seen. */
const LEAST = 6;

function bars(values: readonly number[], runs: readonly ShownRun[], tone: string): readonly Markup[] {
  const most = Math.log1p(Math.max(...values));
  return values.map((value, index) => {
    const height = value === 0 ? 0 : LEAST + (HEIGHT - 2 * LEAST) * (Math.log1p(value) / most);
    const x = (RUNS - values.length + index) * BAR;
    const title = `${runs[index]?.began ?? ''}: ${number(value)}`;
    return markup`<rect class="${tone}" x="${x + 1}" y="${(HEIGHT - height).toFixed(1)}" width="${BAR - 2}" height="${height.toFixed(1)}"><title>${title}</title></rect>`;
  });
}

function table(runs: readonly ShownRun[]): Markup {
  const rows = runs.map(({ id, began, kind, result, applied, failed, held, seconds }) => {
    const cells = [applied, failed, held, seconds].map(
      (n) => markup`<td class="number">${n === null ? '' : number(n)}</td>`,
    );
    return markup`<tr><td>${began.replace(' UTC', '')}</td><td class="result-${result.replace('not ended', 'none')}">${result}</td>${cells}<td>${kind}</td><td><code>${id}</code></td></tr>`;
  });
  const heads = ['Applied', 'Failed', 'Held', 'Seconds'].map(
    (name) => markup`<th class="number">${name}</th>`,
  );
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Table of the runs">
<table>
<thead><tr><th>Began</th><th>Result</th>${heads}<th>Kind</th><th>Run</th></tr></thead>
<tbody>${rows}</tbody>
</table>
</div>`;
}
