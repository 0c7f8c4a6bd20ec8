import type { FloorName, Row } from './results.ts';

const PHASES = ['read', 'refresh', 'plan', 'apply', 'verify'] as const;
const COLUMNS: readonly (readonly [head: string, width: number])[] = [
  ['', 13],
  ['wall s', 8],
  ['cpu s', 8],
  ['× floor', 9],
  ['cpu ×', 7],
  ['× ldaps.', 9],
  ...PHASES.map((head): readonly [string, number] => [head, 8]),
  ['peak MB', 8],
  ['stall ms', 9],
  ['calls', 7],
  ['applied', 8],
  ['B/person', 9],
];

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, index) => {
    const width = COLUMNS[index]?.[1] ?? 0;
    return index === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  return `${padded.join('').trimEnd()}\n`;
}

/** Prints the head of the table of one source at one size. */
export function printHead(title: string): void {
  process.stdout.write(`\n${title}\n${line(COLUMNS.map(([head]) => head))}`);
}

/**
 * Prints one row: seconds; how many times as long as its floor, by the clock and by the processors; the phases of a run
 * in seconds. A load is compared with bare posts, a full run with a bare read of the same answers, everything else with a
 * bare read by the same driver, and by ldapsearch.
 */
export function printRow(row: Row): void {
  const { what, seconds, cpuSeconds, peakMB, stallMs, run, ledgerBytes, problem } = row;
  const phases = PHASES.map((name) => (run === null ? '' : ((run.phases[name] ?? 0) / 1000).toFixed(2)));
  const cells = [
    what,
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    ...ratiosOf(row),
    ...phases,
    String(peakMB),
    String(stallMs ?? ''),
    String(run?.requests ?? ''),
    String(run?.applied ?? ''),
    String(ledgerBytes ?? ''),
  ];
  process.stdout.write(line(cells) + (problem === null ? '' : `  ^ ${problem}\n`));
}

/** What is not measured against a read of the source. */
const OWN_FLOORS: Readonly<Partial<Record<Row['what'], FloorName>>> = {
  'initial load': 'bare posts',
  full: 'bare answers',
};

function ratiosOf({ what, seconds, cpuSeconds, run, floors }: Row): readonly string[] {
  if (run === null) return ['', '', ''];
  const own = OWN_FLOORS[what];
  const floor = floors[own ?? 'bare driver'];
  return [
    ratio(seconds, floor?.seconds),
    ratio(cpuSeconds, floor?.cpuSeconds),
    own === undefined ? ratio(seconds, floors.ldapsearch?.seconds) : '',
  ];
}

function ratio(ours: number, floor: number | undefined): string {
  return floor === undefined || floor === 0 ? '' : (ours / floor).toFixed(2);
}
