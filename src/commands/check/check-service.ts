import type { Part } from './words.ts';
import type { Employee, Organization, Service } from '../../domain/ports/service.ts';
import type { SourceRules } from '../../domain/reading/source.ts';
import { LISTED_FIELDS, type Fields, type FieldValue } from '../../domain/records/fields.ts';
import { printable } from '../../domain/text/printable.ts';
import { NodeValues } from '../../plan/nodes/node-values.ts';
import { ID_OF } from '../../plan/values/unmapped.ts';

/** Reads the root, and looks at a few employees for values that a run could not keep. */
export async function checkService(
  {
    service,
    baseUrl,
    rules,
  }: { readonly service: Service; readonly baseUrl: string; readonly rules: SourceRules },
  signal: AbortSignal,
): Promise<Part> {
  const root = await service.root(signal);
  const skew = Math.round((service.now() - Date.now()) / 1000);
  const clock =
    Math.abs(skew) < 5 ? '' : `, its clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  const head = `${printable(baseUrl)}: root "${printable(root.name)}" (${printable(root.id)})${clock}`;
  const employees = await someEmployees(service, signal);
  const nodes = await someNodes(service, signal);
  return {
    verdict: 'ok',
    head,
    lines: [...lossLines(employees, rules.person), ...nodeLines(nodes)],
  };
}

async function someNodes(service: Service, signal: AbortSignal): Promise<readonly Organization[]> {
  for await (const { records } of service.organizations(null, signal)) return records;
  return [];
}

/** Returns what a unit would lose when it moves; the guard `lost` holds such a move. */
function nodeLines(nodes: readonly Organization[]): readonly string[] {
  const values = new NodeValues(nodes, []);
  const lost = nodes.filter(({ parentId }) => parentId !== null).flatMap((node) => values.lostWith(node));
  const counts = [...new Set(lost)].map((name) => `${name} on ${lost.filter((one) => one === name).length}`);
  if (counts.length === 0) return [];
  return [
    `of ${nodes.length} nodes looked at, fields that would be lost where a unit moves: ${counts.join(', ')}`,
  ];
}

function lossLines(employees: readonly Employee[], person: SourceRules['person']): readonly string[] {
  if (employees.length === 0) return ['no employees here yet among the users looked at'];
  const all = employees.length;
  const lines = shownNames(employees)
    .filter((name) => !isMapped(name, person))
    .flatMap((name) => lossLine(name, { employees, all }))
    .concat(unreadLines(employees, person));
  if (lines.length === 0) return [`of ${all} employees looked at: nothing is shown that nobody mapped`];
  return [`of ${all} employees looked at, fields that are shown and not mapped:`, ...lines];
}

/** Returns the names of the fields that are shown, such as `mobile` or `properties.11`. */
function shownNames(employees: readonly Employee[]): readonly string[] {
  const ids = employees.flatMap(({ fields }) => Object.keys(propertiesOf(fields)));
  const plain = LISTED_FIELDS.filter((name) => name !== 'properties' && name !== 'tag_names');
  return [...plain, ...[...new Set(ids)].toSorted().map((id) => `properties.${id}`)];
}

/** Returns whether a field is mapped, by id or by name; tags by name have a rule for each group. */
function isMapped(name: string, person: SourceRules['person']): boolean {
  if (name in person) return true;
  const byTag = name === 'tags' || name === 'tag_names';
  return byTag && Object.keys(person).some((field) => field.startsWith('tag_names.'));
}

interface Looked {
  readonly employees: readonly Employee[];
  readonly all: number;
}

function lossLine(name: string, { employees, all }: Looked): readonly string[] {
  const values = employees.map(({ fields }) => valueOf(fields, name)).filter((value) => isSomething(value));
  if (values.length === 0) return [];
  const masked = values.filter((value) => isMasked(value)).length;
  const note = masked === 0 ? '' : `; masked on ${masked}: what is masked cannot be written back`;
  return [`  ${printable(name)}: on ${values.length} of ${all}${note}`];
}

function unreadLines(employees: readonly Employee[], person: SourceRules['person']): readonly string[] {
  const names = employees
    .flatMap(({ unread = {} }) => Object.keys(unread))
    .filter((name) => !isMapped(name, person) && !isMapped(ID_OF[name] ?? name, person));
  return [...new Set(names)].toSorted().map((name) => {
    const count = names.filter((one) => one === name).length;
    return `  ${name}: on ${count} of ${employees.length}, in a form that cannot be written back`;
  });
}

function propertiesOf(fields: Fields): Readonly<Record<string, FieldValue>> {
  const { properties } = fields;
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? (properties as Readonly<Record<string, FieldValue>>)
    : {};
}

function valueOf(fields: Fields, name: string): FieldValue | null {
  const [plain = '', id] = name.split('.');
  return (id === undefined ? fields[plain] : propertiesOf(fields)[id]) ?? null;
}

/** Returns whether a value could be lost: what every new account has does not count. */
function isSomething(value: FieldValue | null): boolean {
  if (value === null || value === '' || value === '0' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function isMasked(value: FieldValue | null): boolean {
  return /[*•]/u.test(JSON.stringify(value));
}

/** Number of employees to look at: a few show what all have, and cost three calls. */
const LOOKED_AT = 50;

async function someEmployees(service: Service, signal: AbortSignal): Promise<readonly Employee[]> {
  for await (const { records } of service.users(null, signal)) {
    const usernames = records.slice(0, LOOKED_AT).map(({ username }) => username);
    return [...(await service.employees(usernames, signal)).found.values()];
  }
  return [];
}
