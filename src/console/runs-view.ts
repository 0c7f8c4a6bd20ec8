import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import { printableText } from '../domain/text/printable.ts';
import { timeText } from '../domain/text/local-time.ts';
import { withoutContacts } from '../domain/text/hide.ts';
import { Markup, markup } from '../page/markup.ts';
import { reasonText } from '../report/describe-run.ts';
import { linkTo } from './links.ts';
import type { View } from './view.ts';

const RUNS = 100;

interface ShownRun {
  readonly id: string;
  readonly began: string;
  readonly kind: string;
  readonly result: string;
  /** Why it began, and what failed. */
  readonly reason: string;
  readonly applied: number;
  readonly failed: number;
  readonly held: number;
  /** `null`: it has not ended. */
  readonly seconds: number | null;
}

function shownRun(run: RunRecord, zone: string): ShownRun {
  const { id, kind, startedAt, endedAt, result, report } = run;
  const { applied = 0, failed = 0, held = 0, error = '' } = report ?? {};
  return {
    id,
    kind,
    began: timeText(startedAt, zone),
    result: result ?? 'not ended',
    reason: [reasonText(run), withoutContacts(printableText(error))].filter((text) => text !== '').join('; '),
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
export const runsView: View = ({ ledger, settings }) => {
  const runs = ledger.runs.last(RUNS).map((run) => shownRun(run, settings.sync.timezone));
  if (runs.length === 0) return { title: 'Runs', body: [markup`<p>No run has begun yet.</p>`] };
  const oldestFirst = runs.toReversed();
  const charts = SERIES.map(([series, title, tone]) => {
    const values = oldestFirst.map((run) => run[series] ?? 0);
    const about = `${title} of the last ${runs.length} runs: 0 to ${number(Math.max(...values))}`;
    return markup`<figure>
<figcaption>${title}</figcaption>
<svg role="img" aria-label="${about}">
${scale(Math.max(...values))}
${bars(values, oldestFirst, tone)}
</svg>
<p class="dates quiet"><span>${oldestFirst[0]?.began ?? ''}</span><span>${runs[0]?.began ?? ''}</span></p>
</figure>`;
  });
  return {
    title: `Last ${runs.length} runs`,
    body: [markup`<div class="charts">${charts}</div>`, table(runs)],
  };
};

/** Part of the height for the smallest bar: one change of a run with thousands can still be seen. */
const LEAST = 6;
/** Part of the height for the largest bar: its value stands above it. */
const MOST = 84;
/** Part of the width for the values at the left. */
const MARKS_WIDE = 14;
/** Least distance of two marks, in hundredths of the height. */
const MARKS_APART = 25;

/** Returns the height of a value as a part of 100; heights are logarithmic. */
const heightOf = (value: number, most: number): number =>
  value === 0 ? 0 : LEAST + (MOST - LEAST) * (Math.log1p(value) / Math.log1p(most));

/** Returns lines with their values: nothing, the most, and powers of ten between them. */
function scale(most: number): readonly Markup[] {
  const tens = [1, 10, 100, 1_000, 10_000, 100_000].toReversed().filter((value) => value < most);
  const marks = most === 0 ? [0] : [most, 0];
  for (const value of tens) {
    const isFree = marks.every(
      (mark) => Math.abs(heightOf(mark, most) - heightOf(value, most)) >= MARKS_APART,
    );
    if (isFree) marks.push(value);
  }
  return marks.map((value) => {
    const y = `${(100 - heightOf(value, most)).toFixed(1)}%`;
    return markup`<line x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="0" y="${y}" dy="-3">${number(value)}</text>`;
  });
}

function bars(values: readonly number[], runs: readonly ShownRun[], tone: string): readonly Markup[] {
  const most = Math.max(...values);
  const step = (100 - MARKS_WIDE) / values.length;
  return values.map((value, index) => {
    const height = heightOf(value, most);
    const title = `${runs[index]?.began ?? ''}: ${number(value)}`;
    return markup`<rect class="${tone}" x="${(MARKS_WIDE + index * step).toFixed(2)}%" y="${(100 - height).toFixed(1)}%" width="${(step * 0.8).toFixed(2)}%" height="${height.toFixed(1)}%"><title>${title}</title></rect>`;
  });
}

function table(runs: readonly ShownRun[]): Markup {
  const rows = runs.map(({ id, began, kind, result, reason, applied, failed, held, seconds }) => {
    const cells = [applied, failed, held, seconds].map(
      (n) => markup`<td class="number">${n === null ? '' : number(n)}</td>`,
    );
    return markup`<tr><td><a href="${linkTo('/console/run', { id })}">${began}</a></td><td class="result-${result.replace('not ended', 'none')}">${result}</td>${cells}<td>${kind}</td><td class="reason"><bdi>${reason}</bdi></td></tr>`;
  });
  const heads = ['Applied', 'Failed', 'Held', 'Seconds'].map(
    (name) => markup`<th class="number">${name}</th>`,
  );
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Table of the runs">
<table>
<thead><tr><th>Began</th><th>Result</th>${heads}<th>Kind</th><th>Why</th></tr></thead>
<tbody>${rows}</tbody>
</table>
</div>`;
}
