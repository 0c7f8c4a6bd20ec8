import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { SandboxState } from '../../src/sandbox/sandbox.ts';
import { isList, isObject, writeJson, type Json } from '../../src/interface/json.ts';
import type { EmployeeRecord, OrganizationRecord } from '../../src/sandbox/world/records.ts';
import type { Chance } from './chance.ts';
import type { Company } from './headquarters.ts';
import type { World, WorldOptions } from '../sync/world.ts';

/** A property, by the id of its schema. */
const PROPERTY = '11';
const COLOURS = 4;
const EDITED = 3;

/**
 * Logos of units, tags by name and a property: what needs a second operation, or is shown otherwise than it is sent.
 * What each record has depends on its id and the turn alone.
 */
const ADORNED = { rules: { [`properties.${PROPERTY}`]: 'badge' }, pictures: true } as const;

export interface Adornments {
  readonly options: Pick<WorldOptions, 'rules' | 'pictures'>;
  readonly of: (company: Company, turn: number) => Company;
  readonly interfere: (world: World, company: Company, chance: Chance) => void;
}

const NONE: Adornments = {
  options: {},
  of: (company) => company,
  interfere: () => undefined,
};

/** Returns those of a story: every other one has them, whatever its set of readings. */
export function adornmentsOf(seed: number): Adornments {
  const isAdorned = (Math.floor(seed / 1_000) + seed) % 2 === 0;
  return isAdorned ? { options: ADORNED, of: adorned, interfere } : NONE;
}

function adorned({ units, people }: Company, turn: number): Company {
  return {
    units: units.map((one) => ({ ...one, fields: { ...one.fields, logo: logoOf(one.id, turn) } })),
    people: people.map((one) => ({ ...one, fields: { ...one.fields, ...valuesOf(one.id, turn) } })),
  };
}

/** Others put up another logo, give other tags, and clear a property. */
function interfere(world: World, { units, people }: Company, chance: Chance): void {
  const { edit, state } = world.sandbox;
  for (const { id } of chance.some(units, EDITED)) {
    const node = state.organizationBySerial(id);
    if (node !== undefined) edit.changeOrganization(node.id, { logo: 'theirs' });
  }
  const here = people.filter(({ active, username }) => {
    const employee = state.employee(username);
    return active === true && employee !== undefined && !employee.locked && employee.positions.length > 0;
  });
  const [tagged, cleared] = [chance.some(here, EDITED), chance.some(here, EDITED)];
  for (const { username } of tagged)
    edit.changeEmployee(username, { tag_names: [{ group: 'Staff', tag: 'Theirs' }] });
  for (const { username } of cleared) edit.changeEmployee(username, { properties: [] });
}

/** What a node shows, and what it should: the digest of a picture, or nothing. */
export function logoTrouble(
  state: SandboxState,
  node: OrganizationRecord,
  fields: Fields,
): readonly string[] {
  if (!('logo' in fields)) return [];
  const media = state.medias().find(({ id }) => id === node.logo);
  const [shown, wanted] = [media?.digest ?? '', fields['logo'] ?? null];
  const should = typeof wanted === 'string' ? md5(Buffer.from(wanted, 'base64')) : '';
  return shown === should ? [] : [`unit ${node.serialNo} has the logo ${shown} instead of ${should}`];
}

/** What an account holds of tags and properties, and what it should. */
export function valuesTrouble(
  { profile }: EmployeeRecord,
  fields: Fields,
  seesProperties: boolean,
): readonly string[] {
  if (!('tag_names' in fields)) return [];
  const shown = [pairsIn(profile['tag_names']), seesProperties ? propertyIn(profile['properties']) : []];
  const tags = (fields['tag_names'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  const wanted = Object.entries(tags).flatMap(([group, names]) => names.map((tag) => `${group}/${tag}`));
  const properties = (fields['properties'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  const should = [wanted.toSorted(), seesProperties ? (properties[PROPERTY] ?? []) : []];
  return JSON.stringify(shown) === JSON.stringify(should)
    ? []
    : [`has ${JSON.stringify(shown)} instead of ${JSON.stringify(should)}`];
}

function pairsIn(value: Json | undefined): readonly string[] {
  const list = isList(value) ? value : [];
  const pairs = list.map((one) => (isObject(one) ? `${textOf(one['group'])}/${textOf(one['tag'])}` : ''));
  return pairs.toSorted();
}

function propertyIn(value: Json | undefined): readonly string[] {
  const list = isList(value) ? value : [];
  const found = list.find((one) => isObject(one) && textOf(one['data_schema_id']) === PROPERTY);
  const values = isObject(found) ? found['values'] : [];
  return isList(values) ? values.map(textOf) : [];
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : writeJson(value ?? null);

/** Of every five units one has no logo, and with each turn another one; every seventh has another picture then. */
function logoOf(id: string, turn: number): string | null {
  const number = numberOf(id);
  if ((number + turn) % 5 === 0) return null;
  return picture(number % 7 === turn ? COLOURS + turn : number % COLOURS).toString('base64');
}

function valuesOf(id: string, turn: number): Fields {
  const number = numberOf(id);
  const site = { Site: [number % 2 === 0 ? 'Kiel' : 'Bonn'] };
  const staff = number % 9 === turn ? { Staff: ['VIP', `Turn ${turn}`] } : { Staff: ['VIP'] };
  const tags = number % 10 === 0 ? null : number % 3 === 0 ? { ...site, ...staff } : site;
  const badge = number % 6 === 0 ? [] : [`B${number}${number % 8 === turn ? `/${turn}` : ''}`];
  return { tag_names: tags, properties: { [PROPERTY]: badge } };
}

const numberOf = (id: string): number => crc32(id) % 1_000;

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

/** A picture of one dot, in its own colour. */
function picture(colour: number): Buffer {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const dot = deflateSync(Buffer.from([0, colour * 20, 255 - colour * 20, 128]));
  const chunks = [chunk('IHDR', head), chunk('IDAT', dot), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}
