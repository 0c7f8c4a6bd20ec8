import { median, SOURCE_NAMES, type BenchRun, type Row, type SourceName, type Story } from '../results.ts';

export interface Point {
  readonly people: number;
  readonly seconds: number;
  readonly peakMB: number;
}

/** How a line is drawn: ours, its floor, or another tool's way to it. */
export type Kind = 'rollcall' | 'floor' | 'ldapsearch';

export interface Line {
  readonly source: SourceName;
  readonly kind: Kind;
  readonly points: readonly Point[];
}

const WHAT: Readonly<Record<Kind, Row['what']>> = {
  rollcall: 'unchanged',
  floor: 'bare driver',
  ldapsearch: 'ldapsearch',
};

/** Returns the lines of a story: ours, and what it is measured against. */
export function linesOf(runs: readonly BenchRun[], story: Story): readonly Line[] {
  const kinds: Readonly<Partial<Record<Kind, Row['what']>>> =
    story === 'initial load' ? { rollcall: story, floor: 'bare posts' } : { ...WHAT, rollcall: story };
  const lines = SOURCE_NAMES.flatMap((source) =>
    Object.entries(kinds).map(([kind, what]) => ({
      source,
      kind: kind as Kind,
      points: pointsOf(runs, source, what),
    })),
  );
  return lines.filter(({ points }) => points.length > 0);
}

/** Of several runs of the bench the newest that has measured it counts; of several rounds the median. */
function pointsOf(runs: readonly BenchRun[], source: SourceName, what: Row['what']): readonly Point[] {
  const isOf = (row: Row): boolean => row.source === source && row.what === what && row.problem === null;
  const sizes = new Set(runs.flatMap(({ rows }) => rows.filter(isOf).map(({ people }) => people)));
  return [...sizes]
    .toSorted((one, other) => one - other)
    .map((people) => {
      const ofSize = (row: Row): boolean => isOf(row) && row.people === people;
      const rows = runs.findLast((run) => run.rows.some(ofSize))?.rows.filter(ofSize) ?? [];
      return {
        people,
        seconds: median(rows.map(({ seconds }) => seconds)) ?? 0,
        peakMB: median(rows.map(({ peakMB }) => peakMB)) ?? 0,
      };
    });
}
