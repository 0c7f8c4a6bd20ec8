import type { ScimSettings } from '../../../src/source/scim/kind.ts';
import { NO_MAPS, PEOPLE, UNITS } from '../world.ts';
import type { Resource } from './scim-server.ts';
import type { Whole } from '../world.ts';

const HR = 'urn:example:hr:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The world as a SCIM server has it: groups are units, and users show their groups. */
export function worldLists(): Readonly<Record<string, readonly Resource[]>> {
  const Users = PEOPLE.map(({ id, username, name, email, active, born, order, units, title }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE, HR],
    id,
    ...(username !== null && { userName: username }),
    name: { formatted: name },
    emails:
      email === null
        ? []
        : [
            { type: 'home', value: 'not@this.one' },
            { type: 'Work', value: email, primary: true },
          ],
    ...(active ? {} : { active: false }),
    title,
    groups: units.map((value, index) => ({ value, type: index === 0 ? 'main' : 'other' })),
    [ENTERPRISE]: { costCenter: born },
    [HR]: { order },
  }));
  const Groups = UNITS.map(({ id, parent, name }) => ({ id, displayName: name, parent: { value: parent } }));
  return { Users, Groups };
}

export function scimSettings(url: string, changes: Partial<Whole<ScimSettings>> = {}): Whole<ScimSettings> {
  return {
    type: 'scim',
    url,
    token: 'good-token',
    tls: { insecure: false },
    pageSize: 500,
    timeoutSeconds: 5,
    units: { resource: 'Groups', rules: { id: 'id', parent: 'parent', fields: { name: 'displayName' } } },
    people: {
      resource: 'Users',
      rules: {
        id: 'ID',
        username: 'username',
        active: 'active',
        fields: {
          name: 'name.formatted',
          email: 'emails.work',
          birthday: 'enterprise.costCenter',
          sort_order: `${HR}:order`,
        },
        ...NO_MAPS,
        positions: [
          { unit: 'groups.main', job_title: 'title', primary: { const: true } },
          { unit: 'groups.other' },
        ],
      },
    },
    ...changes,
  };
}

/** People whose positions are their memberships of groups, which are the units. */
export function membersSettings(
  url: string,
  people: Partial<NonNullable<ScimSettings['people']>> = {},
): Whole<ScimSettings> {
  return scimSettings(url, {
    units: { resource: 'Groups', rules: { id: 'id', refs: ['id'], fields: { name: 'displayName' } } },
    people: {
      resource: 'Users',
      rules: {
        id: 'id',
        username: 'userName',
        active: 'active',
        fields: { name: 'displayName', birthday: 'birthday' },
        ...NO_MAPS,
      },
      ...people,
    },
    positions: { resource: 'Groups', rules: { person: 'member', unit: 'id' } },
  });
}

export const users = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `a${index + 1}`,
    userName: `user${index + 1}`,
    displayName: `U ${index + 1}`,
  }));
