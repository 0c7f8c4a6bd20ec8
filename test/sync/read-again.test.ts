import { describe, expect, test } from 'vitest';
import { SourceError } from '../../src/domain/errors.ts';
import type { Source, SourceRead } from '../../src/domain/reading/source.ts';
import { openWorld } from './world.ts';

/** A source whose people change in the first reads, after all of them came. */
function changing(
  source: Source,
  { times, isPassing }: { readonly times: number; readonly isPassing: boolean },
) {
  let opened = 0;
  const open = async (signal: AbortSignal): Promise<SourceRead> => {
    const read = await source.open(signal);
    opened += 1;
    if (opened > times) return read;
    async function* people(): ReturnType<SourceRead['people']> {
      yield* read.people();
      throw new SourceError('the list changed while it was read', { isPassing });
    }
    return { ...bound(read), people };
  };
  return { source: Object.assign(Object.create(source) as Source, { open }), opened: () => opened };
}

const bound = (read: SourceRead): SourceRead => ({
  units: () => read.units(),
  positions: () => read.positions(),
  people: () => read.people(),
  marks: () => read.marks(),
  evidence: () => read.evidence(),
  close: () => read.close(),
});

describe('a source that changes while it is read', () => {
  test.each([
    ['once is read again, and the run goes on', { times: 1, isPassing: true }, 2, 0],
    ['twice is incomplete', { times: 2, isPassing: true }, 2, 1],
    ['for good is incomplete at once', { times: 1, isPassing: false }, 1, 1],
  ])('%s', async (_, change, opened, exitCode) => {
    const world = await openWorld();
    const other = changing(world.source, change);
    const ran = await world.sync({ from: () => other.source });
    expect([other.opened(), ran.exitCode]).toEqual([opened, exitCode]);
    expect(ran.error).toMatch(exitCode === 0 ? /^$/u : /changed while it was read/u);
    expect(ran.changing.length > 0).toBe(exitCode === 0);
    expect(world.state().people).toHaveLength(exitCode === 0 ? 3 : 0);
    expect((await world.sync()).exitCode).toBe(0);
    expect((await world.sync()).changing).toEqual([]);
  });
});
