import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/app/runs.ts';
import { describeRun } from '../../src/commands/describe-run.ts';
import { NO_EDITS } from '../../src/domain/changes.ts';
import { SourceError, StoppedError } from '../../src/domain/errors.ts';
import { plain } from '../../src/domain/text/line.ts';

const NONE: RunReport['end'] = {
  result: 'ok',
  kind: 'full',
  counts: {
    units: { create: 0, update: 0, move: 0, remove: 0, adopt: 0 },
    people: { create: 0, update: 0, adopt: 0, disable: 0, enable: 0, remove: 0 },
  },
  applied: 0,
  failed: 0,
  blocked: 0,
  held: 0,
  unmanaged: 0,
  requests: 9,
  retries: 0,
  phases: { read: 1_000, refresh: 1_000, plan: 0, apply: 9_000, verify: 1_000 },
  rssMB: 90,
};

interface Told extends Partial<RunReport['end']> {
  readonly people?: Partial<RunReport['end']['counts']['people']>;
  readonly units?: Partial<RunReport['end']['counts']['units']>;
  readonly ended?: unknown;
  readonly rest?: Partial<Parameters<typeof describeRun>[1]>;
}

function told({ people, units, ended = null, rest, ...end }: Told): string {
  const counts = { units: { ...NONE.counts.units, ...units }, people: { ...NONE.counts.people, ...people } };
  const left = { missing: 0, edited: NO_EDITS, kept: 0, ...rest };
  const report = {
    run: 'r',
    end: { ...NONE, ...end, counts },
    exitCode: 0,
    error: ended,
    released: new Map(),
  };
  return describeRun(report, left, plain);
}

describe('how a run ended', () => {
  test.each<readonly [string, Told]>([
    [
      '393 people and 40 units created in 12 s; nothing waits.',
      { people: { create: 393 }, units: { create: 40 }, applied: 433 },
    ],
    [
      '2 people created, 1 person and 1 unit updated, 1 unit moved, 1 person disabled in 12 s; nothing waits.',
      { people: { create: 2, update: 1, disable: 1 }, units: { update: 1, move: 1 }, applied: 6 },
    ],
    ['Nothing to do: the service is in step with the source; looked for 12 s.', {}],
    ['12 changes applied in 12 s; 5 held: rollcall status', { people: { update: 17 }, applied: 12, held: 5 }],
    ['Nothing sent in 12 s; 1 failed, 2 skipped or waiting: rollcall status', { failed: 1, blocked: 2 }],
    [
      'Nothing sent in 12 s; 4 people skipped or waiting: rollcall status',
      { failed: 2, blocked: 2, rest: { troubles: ['4 people skipped or waiting'] } },
    ],
    [
      'Failed after 12 s: source: gone. Nothing was changed. The next run tries again.',
      { ended: new SourceError('source: gone'), error: 'source: gone', result: 'failed' },
    ],
    ['Nothing sent in 12 s; 1 missing, waiting for confirmation: rollcall status', { rest: { missing: 1 } }],
    [
      'Nothing sent in 12 s; 2 people edited in the service and not corrected, ' +
        '1 account keeps another username than in the source: rollcall status',
      { rest: { edited: { units: 0, people: 2 }, kept: 1 } },
    ],
    [
      'Failed after 12 s: source: gone. 3 changes applied before; the next run continues.',
      { applied: 3, ended: new SourceError('source: gone'), error: 'source: gone', result: 'failed' },
    ],
    [
      'Failed after 12 s: is it running? 1 change applied before; the next run continues.',
      { applied: 1, ended: new SourceError('is it running?'), error: 'is it running?', result: 'failed' },
    ],
    [
      'Stopped after 12 s; 1 change applied before; the next run continues.',
      { applied: 1, ended: new StoppedError('stopped') },
    ],
  ])('%s', (sentence, run) => {
    expect(told(run)).toBe(sentence);
  });
});
