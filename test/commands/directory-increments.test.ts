import { describe, expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasServer } from '../servers/install.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { BASE, ldif, OUTSIDE, person, staffLdif } from '../source/ldap/changes/staff.ts';
import { configText, openStage, type Stage } from './command-line.ts';

const A = `ou=a,${BASE}`;
const B = `ou=b,${A}`;
const C = `ou=c,${BASE}`;
const SYNCED: SlapdOptions = {
  head: 'moduleload syncprov',
  config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000',
};

async function stageOf(server: Slapd, changes: 'auto' | 'off'): Promise<Stage> {
  const stage = await openStage();
  const source = `source:
  type: ldap
  url: ${server.url}
  bindDn: ${server.bindDn}
  bindPassword: ${server.password}
  vendor: openldap
  changes: ${changes}
  units: { base: "${BASE}" }
  people:
    base: "${BASE}"
    filter: (&(objectClass=inetOrgPerson)(!(employeeType=retired)))
    exclude: ["ou=hidden,${BASE}"]
    fields: { id: entryUUID, username: uid, name: displayName, active: null }
sync: { guard: { leavers: { percent: 100, count: 100 } }, leavers: { misses: 1 } }
`;
  writeFileSync(join(stage.folder, 'rollcall.yaml'), configText(stage.sandbox, source));
  return stage;
}

/** What the service has of everybody. */
const staffOf = ({ sandbox }: Stage): readonly string[] => {
  const names = new Map(sandbox.state.organizations().map(({ id, name }) => [id, name]));
  return [...sandbox.state.employees()]
    .map(({ username, name, positions }) =>
      [username, name, ...positions.map(({ orgId }) => names.get(orgId))].join(' '),
    )
    .toSorted();
};

interface Line {
  readonly event?: string;
  readonly read?: string;
  readonly message?: string;
  readonly msg?: string;
  readonly why?: string;
}

const linesOf = (out: string): readonly Line[] =>
  out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

describe.skipIf(!hasServer('slapd'))('a directory, followed by increments', () => {
  test('leads to the same as one that is read in full each time', async () => {
    const server = await startSlapd({ ...SYNCED, ldif: staffLdif() });
    try {
      server.modify(
        ldif.add([`ou=hidden,${BASE}`, { objectClass: 'organizationalUnit' }]) +
          ldif.add(person('h1', `ou=hidden,${BASE}`)),
      );
      const [one, other] = [await stageOf(server, 'auto'), await stageOf(server, 'off')];
      const sync = async (): Promise<string> => {
        const [first, second] = [await one.type('sync'), await other.type('sync')];
        expect([first.code, staffOf(one)]).toEqual([second.code, staffOf(other)]);
        return linesOf(first.out).find(({ event }) => event === 'source.read')?.read ?? first.out;
      };
      await sync();
      expect(await sync()).toBe('incremental');
      const changes: readonly (readonly [change: string, how: string])[] = [
        [ldif.set(`cn=p1,${A}`, 'displayName', 'Another'), 'incremental'],
        [ldif.add(person('p6', C)) + ldif.remove(`cn=p2,${A}`), 'incremental'],
        [ldif.rename(`cn=p4,${C}`, 'cn=p4', B) + ldif.rename(`cn=p3,${B}`, 'cn=p3', OUTSIDE), 'incremental'],
        [ldif.rename(`cn=p5,${OUTSIDE}`, 'cn=p5', C), 'incremental'],
        [ldif.set(`cn=p5,${C}`, 'employeeType', 'retired'), 'incremental'],
        [ldif.set(`cn=p5,${C}`, 'employeeType', 'staff'), 'incremental'],
        [ldif.rename(A, 'ou=renamed'), 'full'],
        ['', 'incremental'],
      ];
      for (const [change, how] of changes) {
        server.modify(change);
        expect([change, await sync()]).toEqual([change, how]);
      }
    } finally {
      await server.stop();
    }
  });
});
