import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { openWorld, stateOf, type World } from '../sync/world.ts';
import { company, reorganized } from './company.ts';
import { expectedState } from './expected-state.ts';

const BEFORE = company({ units: 7, people: 10 });
const AFTER = reorganized(BEFORE);
const LIMITS = { unitsPerImport: 2, peoplePerImport: 3, concurrency: 2 };

/** Who was disabled by us is known to be ours, and enabled again, also where the disabling was in doubt. */
const everybodyActive = ({ people }: MemoryWorld): Partial<MemoryWorld> => ({
  people: people.map((one) => ('active' in one ? { ...one, active: true } : one)),
});
const lockedIn = (world: World): readonly string[] =>
  world.sandbox.state.employees().flatMap(({ locked, username }) => (locked ? username : []));

const idsIn = ({ units, people }: MemoryWorld): readonly string[] =>
  [...units, ...people].flatMap(({ id }) => id ?? []);

/** Ids of what the history says to be created. */
function createdIn({ ledgerFile }: World): readonly string[] {
  const db = new Sqlite(ledgerFile, { readonly: true });
  const ids = db.prepare<[], string>("SELECT id FROM history WHERE kind = 'create'").pluck().all();
  db.close();
  return ids.toSorted((a, b) => a.localeCompare(b));
}

const STORIES: readonly (readonly [string, MemoryWorld | null, MemoryWorld])[] = [
  ['the initial load', null, BEFORE],
  ['a reorganization', BEFORE, AFTER],
];

describe.each(STORIES)('a crash in %s', (_, before, after) => {
  test.each(['before', 'after'] as const)(
    '%s any write of the journal is made good by the next run',
    async (when) => {
      let at = 0;
      for (let crashed = true; crashed;) {
        at += 1;
        const world = await openWorld({ ...(before ?? after), limits: LIMITS });
        if (before !== null) await world.sync();
        world.change(() => after);
        const wrap = (ledger: Ledger): Ledger => crashing(ledger, at, when);
        crashed = await world.sync({ wrap }).then(
          () => false,
          (error: unknown) => error instanceof Crash,
        );
        world.minutes(2);
        const ran = await world.sync();
        expect([at, ran.exitCode, ran.listed]).toEqual([at, 0, []]);
        expect(stateOf(world.sandbox)).toEqual(expectedState(after, before ?? undefined));
        const all = new Set([...idsIn(before ?? after), ...idsIn(after)]);
        expect([at, createdIn(world)]).toEqual([at, [...all].toSorted((a, b) => a.localeCompare(b))]);
        world.minutes(1);
        const next = await world.sync({ full: true });
        expect([at, next.exitCode, next.changing]).toEqual([at, 0, []]);
        world.change(everybodyActive);
        expect([at, (await world.sync()).listed, lockedIn(world)]).toEqual([at, [], []]);
      }
      expect(at).toBeGreaterThan(10);
    },
  );
});
