import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, asyncProperty, nat } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SourceError } from '../../src/domain/errors.ts';
import type { Person } from '../../src/domain/records/records.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { csvSettings, writeFiles } from './csv-world.ts';
import { ldapWire } from './ldap/ldap-wire.ts';
import { csvSource, scimSource } from './open-one.ts';
import { restWire } from './rest/rest-wire.ts';
import { STYLE_NAMES } from './rest/rest-world.ts';
import { startScim, type Resource, type Twist } from './scim/scim-server.ts';
import { membersSettings, users } from './scim/scim-world.ts';
import { collect, never } from './source-contract.ts';
import { sqlWire } from './sql/sql-wire.ts';
import { FAULTS, IDS, PEOPLE, place, same, type Fault, type Wire } from './wire.ts';

const idsOf = (people: readonly Person[]): readonly string[] => people.map(({ id }) => id);

/** Files whose last line tells the number of rows. */
function files(): Wire {
  const folder = scratchFolder('faults');
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
    isWhole: (people) => same(idsOf(people), IDS),
    stop: () => removeFolder(folder),
  };
}

/** A SCIM server with pages of 7. */
async function scim(): Promise<Wire> {
  const server = await startScim({});
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
      return { source: scimSource(settings, new FakeClock({ auto: true })) };
    },
    isWhole: (people) => same(idsOf(people), IDS) || same(idsOf(people), changed),
    stop: () => server.close(),
  };
}

/** Faults that a kind meets without failing: it has one state of the source. */
const MET: Readonly<Record<string, Fault['is']>> = {
  sqlite: 'changed',
  postgres: 'changed',
  mariadb: 'changed',
};

type RowOfKinds = [string, () => Wire | Promise<Wire>, readonly Fault['is'][]];

describe.each<RowOfKinds>([
  ['csv', files, FAULTS],
  ['scim', scim, FAULTS],
  ...STYLE_NAMES.map((style): RowOfKinds => [`rest by ${style}`, () => restWire(style), FAULTS]),
  ['ldap', ldapWire, [...FAULTS, 'unproved', 'refused', 'elsewhere']],
  ['sqlite', () => sqlWire('sqlite'), ['cut', 'changed']],
  ['postgres', () => sqlWire('postgres'), ['cut', 'changed', 'killed', 'replaced']],
  ['mariadb', () => sqlWire('mariadb'), ['cut', 'changed', 'killed']],
])('a read of %s', (kind, start, faults) => {
  let wire: Wire;
  beforeAll(async () => {
    wire = await start();
  });
  afterAll(async () => wire.stop());

  test.each<Fault['is']>(faults)('gives everything or fails, if something of it is %s', async (is) => {
    let failed = 0;
    await assert(
      asyncProperty(nat(9_999), async (at) => {
        const fault = { is, at: at / 10_000 };
        const { source, before, meanwhile } = wire.disturbed(fault);
        await before?.();
        const given = async (): Promise<readonly Person[]> => {
          const read = await source.open(never);
          try {
            await meanwhile?.();
            return (await collect(read.people())).flatMap((one) => (one.ok ? one.record : []));
          } finally {
            await read.close();
          }
        };
        const told = await given().catch((error: unknown) => error);
        if (!(told instanceof SourceError)) return wire.isWhole(told as readonly Person[]);
        failed += 1;
        return true;
      }),
      { numRuns: 40 },
    );
    expect(failed > 0).toBe(MET[kind] !== is);
  });
});
