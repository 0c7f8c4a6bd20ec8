import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/app/runs.ts';
import { describeRun } from '../../src/commands/describe-run.ts';
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
}

function told({ people, units, ended = null, ...end }: Told): string {
  const counts = { units: { ...NONE.counts.units, ...units }, people: { ...NONE.counts.people, ...people } };
  const report = {
    run: 'r',
    end: { ...NONE, ...end, counts },
    exitCode: 0,
    error: ended,
    released: new Map(),
  };
  return describeRun(report, plain);
}

describe('how a run ended', () => {
  test.each<readonly [string, Told]>([
    [
      '393 people and 40 units created in 12 s.',
      { people: { create: 393 }, units: { create: 40 }, applied: 433 },
    ],
    [
      '2 people created, 1 person and 1 unit updated, 1 unit moved, 1 person disabled in 12 s.',
      { people: { create: 2, update: 1, disable: 1 }, units: { update: 1, move: 1 }, applied: 6 },
    ],
    ['Nothing sent in 12 s.', { held: 5 }],
    ['12 changes applied in 12 s.', { people: { update: 17 }, applied: 12, held: 5 }],
    [
      'Failed after 12 s: source: gone. Nothing was changed; the next run continues.',
      { ended: new SourceError('source: gone'), error: 'source: gone', result: 'failed' },
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
