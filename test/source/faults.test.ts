import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, asyncProperty, double } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SourceError } from '../../src/domain/errors.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { csvSettings, writeFiles } from './csv-world.ts';
import { csvSource, scimSource } from './open-one.ts';
import { startScim, type Resource, type ScimServer, type Twist } from './scim/scim-server.ts';
import { membersSettings, users } from './scim/scim-world.ts';
import { collect, never } from './source-contract.ts';

/** What may happen between a source and a read, and where, as a share of the whole. */
interface Fault {
  readonly is: 'cut' | 'repeated' | 'hidden' | 'changed';
  readonly at: number;
}

/** A kind of source with people `1` to `PEOPLE`, whose wire can be disturbed. */
interface Wire {
  /** Returns the source, and what happens after its read has begun. */
  readonly disturbed: (fault: Fault) => { readonly source: Source; readonly meanwhile: () => void };
  /** Returns whether these are the people before or after a change. */
  readonly isWhole: (ids: readonly string[]) => boolean;
}

const PEOPLE = 40;
const IDS = Array.from({ length: PEOPLE }, (_, n) => String(n + 1));
const same = (ids: readonly string[], all: readonly string[]): boolean =>
  ids.length === all.length && all.every((id) => ids.includes(id));
const place = (at: number, size: number): number => Math.min(size - 1, Math.floor(at * size));

/** Files whose last line tells the number of rows. */
function files(folder: string): Wire {
  const HEAD = 'id,login,name';
  const rows = IDS.map((id) => `${id},user${id},"Name, ${id}"`);
  const trailer = `END;${PEOPLE}`;
  const spoiled = ({ is, at }: Fault): string => {
    const n = place(at, PEOPLE);
    const text = `${[HEAD, ...rows, trailer].join('\n')}\n`;
    if (is === 'cut') return text.slice(0, place(at, text.length));
    if (is === 'repeated')
      return `${[HEAD, ...rows.slice(0, n + 1), ...rows.slice(n), trailer].join('\n')}\n`;
    return is === 'hidden' ? `${[HEAD, ...rows.toSpliced(n, 1), trailer].join('\n')}\n` : text;
  };
  const whole = csvSettings(folder);
  const rules = {
    ...whole.people.rules,
    id: 'id',
    username: 'login',
    fields: { name: 'name' },
    positions: [],
  };
  return {
    disturbed: (fault) => {
      writeFiles(folder, { units: `id,parent_id,name\n1,,C\nEND;1\n`, people: spoiled(fault) });
      const settings = {
        ...whole,
        positions: undefined,
        complete: { trailer: { pattern: String.raw`^END;(\d+)$` } },
        people: { ...whole.people, rules: { ...rules, active: undefined } },
      };
      const meanwhile = (): void => {
        if (fault.is === 'changed') appendFileSync(join(folder, 'people.csv'), '99,late,Late\n');
      };
      return { source: csvSource(settings), meanwhile };
    },
    isWhole: (ids) => same(ids, IDS),
  };
}

/** A SCIM server with pages of 7. */
function scim(server: ScimServer): Wire {
  const all: readonly Resource[] = users(PEOPLE).map((user, n) => ({ ...user, id: IDS[n] }));
  const twisted = ({ is, at }: Fault): Twist => {
    const n = place(at, PEOPLE);
    const gone = all.toSpliced(n, 1);
    let asked = 0;
    return ({ startIndex, count, filter }, list) => {
      if (filter !== null) return null;
      asked += 1;
      const isIn = startIndex <= n + 1 && n + 1 < startIndex + count;
      const page = (from: readonly Resource[], start: number) => ({
        body: { totalResults: from.length, startIndex, Resources: from.slice(start - 1, start - 1 + count) },
      });
      if (is === 'cut' && isIn) return { body: JSON.stringify(list).slice(0, -1 - place(at, 50)) };
      if (is === 'repeated' && isIn && startIndex > count) return page(all, startIndex - count);
      if (is === 'hidden' && isIn)
        return {
          body: { totalResults: PEOPLE, startIndex, Resources: page(gone, startIndex).body.Resources },
        };
      return is === 'changed' && asked > 1 + place(at, 6) ? page(gone, startIndex) : page(all, startIndex);
    };
  };
  let changed: readonly string[] = IDS;
  return {
    disturbed: (fault) => {
      changed = fault.is === 'changed' ? IDS.toSpliced(place(fault.at, PEOPLE), 1) : IDS;
      server.lists = { Groups: [{ id: 'g1', displayName: 'G' }], Users: all };
      server.twist = (asked, list) => (asked.resource === 'Users' ? twisting(asked, list) : null);
      const twisting = twisted(fault);
      const settings = { ...membersSettings(server.url, {}), positions: undefined, pageSize: 7 };
      return { source: scimSource(settings, new FakeClock({ auto: true })), meanwhile: () => undefined };
    },
    isWhole: (ids) => same(ids, IDS) || same(ids, changed),
  };
}

describe.each(['csv', 'scim'] as const)('a read of %s', (kind) => {
  let wire: Wire;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const folder = scratchFolder('faults');
    const server = await startScim({});
    wire = kind === 'csv' ? files(folder) : scim(server);
    stop = async () => {
      removeFolder(folder);
      await server.close();
    };
  });
  afterAll(async () => stop());

  const FAULTS = ['cut', 'repeated', 'hidden', 'changed'] as const;
  test.each(FAULTS)('gives everything or fails, if something of it is %s', async (is) => {
    let failed = 0;
    await assert(
      asyncProperty(double({ min: 0, max: 1, noNaN: true }), async (at) => {
        const { source, meanwhile } = wire.disturbed({ is, at });
        const given = async (): Promise<readonly string[]> => {
          const read = await source.open(never);
          try {
            meanwhile();
            const people = await collect(read.people());
            return people.map((one) => (one.ok ? one.record.id : ''));
          } finally {
            await read.close();
          }
        };
        const told = await given().catch((error: unknown) => error);
        if (!(told instanceof SourceError)) return wire.isWhole(told as readonly string[]);
        failed += 1;
        return true;
      }),
      { numRuns: 40 },
    );
    expect(failed).toBeGreaterThan(0);
  });
});
