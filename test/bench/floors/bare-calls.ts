import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import {
  codeOf,
  companyOf,
  peopleOf,
  unitsOf,
  upwards,
  type CompanyPerson,
  type CompanyUnit,
} from '../company.ts';

/**
 * The floor of a first load: the batches that rollcall sends, posted with undici alone at the same concurrency, parents
 * first; then everybody is read back once. Nothing is looked up, written down or compared. With `--read` that of a full
 * run: users, nodes and everybody are read once.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    token: { type: 'string', default: '' },
    people: { type: 'string', default: '0' },
    concurrency: { type: 'string', default: '4' },
    read: { type: 'boolean', default: false },
  },
});
const CODE = 'sandbox';
const UNITS_AT_ONCE = 100;
const PEOPLE_AT_ONCE = 200;
const USERS_AT_ONCE = 1_000;
const company = companyOf(Number(values.people));
const concurrency = Number(values.concurrency);
const pool = new Pool(values.url, { connections: concurrency });
const nodes = new Map<number, string>();

async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
  const target = `${path}${path.includes('?') ? '&' : '?'}access_token=${values.token}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await pool.request({
    method,
    path: target,
    ...(body === undefined ? {} : { body, headers }),
  });
  const text = await answer.body.text();
  if (!text.includes('"status":0')) throw new Error(`${method} ${path}: ${text.slice(0, 500)}`);
  return text;
}

async function inBatches<T>(items: Iterable<T>, size: number, work: (batch: readonly T[]) => Promise<void>) {
  const iterator = items[Symbol.iterator]();
  const next = (): readonly T[] => {
    const batch: T[] = [];
    while (batch.length < size) {
      const item = iterator.next();
      if (item.done === true) break;
      batch.push(item.value);
    }
    return batch;
  };
  const worker = async (): Promise<void> => {
    for (let batch = next(); batch.length > 0; batch = next()) await work(batch);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

const text = (value: string): string => JSON.stringify(value);

function unitBody({ code, name, parent }: CompanyUnit): string {
  return `{"parent_id":${text(nodes.get(parent) ?? '')},"name":${text(name)},"type":"DEPT","serial_no":"${code}"}`;
}

async function postUnits(units: readonly CompanyUnit[]): Promise<void> {
  await call('POST', `/v1/admin/organizations/${CODE}/import-orgs`, `[${units.map(unitBody).join(',')}]`);
}

/** Reads all nodes; ids are integers that a double does not hold. */
async function readNodes(): Promise<void> {
  const list = await call('GET', `/v1/admin/organizations/${CODE}/list-all?domain_id=sandbox`);
  const known = JSON.parse(list.replaceAll(/:\s*(\d{16,})/gu, ':"$1"')) as {
    readonly result: readonly {
      readonly id: string;
      readonly serial_no?: string;
      readonly parent_id?: string;
    }[];
  };
  for (const { id, serial_no: serialNo } of known.result) nodes.set(Number(serialNo?.slice(1) ?? 0), id);
}

function position(unit: number, title: string, primary: boolean): string {
  return `{"org_id":${nodes.get(unit)},"job_title":${text(title)},"primary":${primary}}`;
}

function personBody(person: CompanyPerson): string {
  const { username, name, mail, mobile, employeeNumber, tel, unit, second, title, i } = person;
  const places = [position(unit, title, true)];
  if (second !== null && second !== unit) places.push(`{"org_id":${nodes.get(second)},"primary":false}`);
  return (
    `{"username":${text(username)},"name":${text(name)},"email":${text(mail)},"mobile":${text(mobile)},` +
    `"sn":${text(employeeNumber)},"tel":${text(tel)},"extension_id":"p${i}","positions":[${places.join(',')}]}`
  );
}

async function postPeople(people: readonly CompanyPerson[]): Promise<void> {
  const body = `[${people.map(personBody).join(',')}]`;
  await call('POST', `/v1/admin/organizations/${CODE}/import-employees`, body);
}

async function readPeople(people: readonly CompanyPerson[]): Promise<void> {
  const names = people.map(({ username }) => username).join(',');
  const query = `domain_id=sandbox&type=username&matching=true&query=${names}`;
  JSON.parse(await call('GET', `/v1/admin/organizations/${CODE}/employees?${query}`));
}

async function readUsers(): Promise<void> {
  for (let skip = 0; skip < company.people; skip += USERS_AT_ONCE)
    JSON.parse(await call('GET', `/v1/users?skip=${skip}&limit=${USERS_AT_ONCE}`));
}

async function post(): Promise<void> {
  const deepest = upwards(company.units).length;
  await readNodes();
  for (let depth = 1; depth <= deepest; depth += 1) {
    const units = unitsOf(company).filter(({ k }) => upwards(k).length === depth);
    await inBatches(units, UNITS_AT_ONCE, postUnits);
    await readNodes();
  }
  await inBatches(peopleOf(company), PEOPLE_AT_ONCE, postPeople);
}

if (values.read) {
  await readUsers();
  await readNodes();
} else {
  await post();
}
await inBatches(peopleOf(company), PEOPLE_AT_ONCE, readPeople);
await pool.close();
process.stdout.write(`${nodes.size} ${codeOf(company.units)}\n`);
