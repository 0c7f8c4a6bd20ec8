import type { Person, Reading, Unit } from '../../../src/domain/records/records.ts';
import type { PersonRules, UnitRules } from '../../../src/domain/source-settings.ts';
import { compilePeople } from '../../../src/source/mapping/map-person.ts';
import { compileUnits } from '../../../src/source/mapping/map-unit.ts';
import type { Mapper } from '../../../src/source/mapping/mapper.ts';
import type { Cell, RawRecord, Value } from '../../../src/source/mapping/values/raw-record.ts';
import type { Dialect } from '../../../src/source/mapping/rules/scope.ts';
import { NO_MAPS } from '../world.ts';

/** The clock of the run. */
export const NOW = new Date('2026-11-23T12:00:00Z');

export type Raw = Readonly<Record<string, Cell>>;

/** References in any case; `root` is the base. */
export const DIALECT: Dialect = {
  foldName: (name) => name.toLowerCase(),
  canonicalRef: (text) => text.toLowerCase(),
  isTop: (ref) => ref === 'root',
  isRoot: (ref) => ref === 'root',
  defaultRefs: (id) => [id],
  defaultParent: null,
  leaveOut: (name) => `by the test, with ${name}`,
};

/** Maps one raw record, given by its lower-case names. */
export function mapWith<T>(mapper: Mapper<T>, raw: Raw): Reading<T> {
  return mapper.map(rowFor(mapper, (name) => raw[name.toLowerCase()]));
}

/** Returns a raw record with what the rules read. */
export function rowFor({ columns }: Mapper<unknown>, valueOf: (name: string) => Value): RawRecord {
  return { values: new Map(columns.map(({ name }) => [name, valueOf(name)])), place: 'here', at: NOW };
}

export function mapPerson(rules: Partial<PersonRules>, raw: Raw): Reading<Person> {
  return mapWith(compilePeople(personRules(rules), DIALECT), { id: '1', login: 'ann', name: 'Ann', ...raw });
}

export function personRules(rules: Partial<PersonRules> = {}): PersonRules {
  return { id: 'id', username: 'login', ...NO_MAPS, ...rules, fields: { name: 'name', ...rules.fields } };
}

export function mapUnit(rules: Partial<UnitRules>, raw: Raw): Reading<Unit> {
  const complete: UnitRules = { id: 'id', ...rules, fields: { name: 'name', ...rules.fields } };
  return mapWith(compileUnits(complete, DIALECT), { id: 'U1', name: 'Sales', ...raw });
}
