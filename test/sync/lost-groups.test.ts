import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import { group, groupDn, GROUPS, person, personDn, PLACES, SUFFIX } from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage } from './group-stage.ts';

const [SALES, EMEA] = [groupDn('sales'), groupDn('emea')];
const ENTRIES: readonly LdifEntry[] = [
  ...PLACES,
  ...['dan', 'eve', 'fay', 'gus'].map((name) => person(name)),
  group('sales', [personDn('dan'), EMEA]),
  group('emea', ['eve', 'fay', 'gus'].map(personDn)),
  group('other', ['dan', 'eve', 'fay', 'gus'].map(personDn)),
];
const ACCESS = 'access to filter=(description=hidden) by * none';
let server: Slapd;
beforeEach(async () => {
  if (hasServer('slapd')) server = await startSlapd({ ldif: toLdif(ENTRIES), access: ACCESS });
});
afterEach(async () => server?.stop());

async function openStage(nested: 'units' | 'people') {
  const { world, sync } = await openGroupStage({
    ...boundTo(server),
    units: {
      base: GROUPS,
      filter: '(objectClass=groupOfNames)',
      members: { by: 'member', nested },
      fields: { id: 'entryUUID', name: 'cn' },
    },
    people: {
      base: `ou=people,${SUFFIX}`,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'employeeNumber', username: 'uid', name: 'sn' },
    },
  });
  const { state } = world.sandbox;
  const nameOf = (id: string | null | undefined): string => state.organization(id ?? '')?.name ?? '-';
  return {
    sync,
    /** `unit below unit: id of its node`, of all units. */
    tree: () =>
      state.organizations().map(({ name, id, parentId }) => `${name} below ${nameOf(parentId)}: ${id}`),
    /** `person: units`, the primary one first. */
    places: () =>
      state
        .employees()
        .map(
          ({ username, positions }) =>
            `${username}: ${positions.map(({ orgId }) => nameOf(orgId)).join(' ')}`,
        )
        .toSorted(),
  };
}

describe.skipIf(!hasServer('slapd')).each(['units', 'people'] as const)(
  'a unit in a group that still names it, and that is not found any more (nested: %s)',
  (nested) => {
    test('takes a place from several only when that is approved', async () => {
      const { sync, places, tree } = await openStage(nested);
      expect((await sync()).exitCode).toBe(0);
      const [before, nodes] = [places(), tree()];
      server.modify(ldif.set(EMEA, 'description', 'hidden'));
      for (let run = 1; run <= 2; run += 1) {
        const { exitCode, plan } = await sync();
        expect([exitCode, places(), tree()]).toEqual([3, before, nodes]);
        const held = { guard: 'unexplained', count: 3, about: expect.stringContaining(`members of ${EMEA}`) };
        expect(plan?.held).toContainEqual(expect.objectContaining(held));
      }
      server.modify(ldif.set(EMEA, 'description', 'x'));
      expect([(await sync()).exitCode, places()]).toEqual([0, before]);
    });

    test('that is hidden itself moves none of those below it', async () => {
      const { sync, tree } = await openStage(nested);
      await sync();
      const nodes = tree();
      server.modify(ldif.set(SALES, 'description', 'hidden'));
      for (let run = 1; run <= 2; run += 1) {
        await sync();
        expect(tree()).toEqual(nodes);
      }
    });
  },
);
