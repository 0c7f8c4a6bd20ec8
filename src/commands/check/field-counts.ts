import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { Person, Unit } from '../../domain/records/records.ts';

export interface FieldCount {
  readonly field: string;
  /** Rule as the configuration has it. */
  readonly rule: string;
  /** Records that have a value. */
  readonly count: number;
}

type HasValue<T> = (record: T, field: string) => boolean;

/** Counts how many records have each mapped field. */
export class FieldCounts<T> {
  readonly #rules: Readonly<Record<string, string>>;
  readonly #has: HasValue<T>;
  readonly #counts: Map<string, number>;

  constructor(rules: Readonly<Record<string, string>>, has: HasValue<T>) {
    this.#rules = rules;
    this.#has = has;
    this.#counts = new Map(Object.keys(rules).map((field) => [field, 0]));
  }

  add(record: T): void {
    for (const [field, count] of this.#counts) {
      if (this.#has(record, field)) this.#counts.set(field, count + 1);
    }
  }

  list(): readonly FieldCount[] {
    return [...this.#counts].map(([field, count]) => ({ field, rule: this.#rules[field] ?? '', count }));
  }
}

export function unitHas({ parent, refs, fields }: Unit, field: string): boolean {
  if (field === 'id') return true;
  if (field === 'parent') return parent !== null;
  return field === 'refs' ? refs.length > 0 : isThere(fields[field]);
}

export function personHas({ active, fields, secrets }: Person, field: string): boolean {
  if (field === 'id' || field === 'username') return true;
  if (field === 'active') return active !== null;
  return isThere(valueOf(fields, field)) || isThere(valueOf(secrets, field));
}

export function fieldsHave(fields: Fields, field: string): boolean {
  return isThere(fields[field]);
}

/** Returns the value of a field; `properties.11` is one value of a map. */
function valueOf(fields: Fields, field: string): FieldValue | null | undefined {
  const [name = '', key] = field.split(/\.(.*)/su);
  const value = fields[name];
  if (key === undefined || typeof value !== 'object' || value === null)
    return key === undefined ? value : null;
  const inner: unknown = Reflect.get(value, key);
  return typeof inner === 'string' || Array.isArray(inner) ? (inner as FieldValue) : null;
}

function isThere(value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Records that share one reason. */
export interface Group {
  readonly reason: string;
  readonly count: number;
  /** First few of these records. */
  readonly first: readonly string[];
}

const FIRST = 5;
/** Number of reasons that are told apart: a source may give every record a reason of its own. */
const MOST_REASONS = 10_000;
const OTHERS = 'other reasons';

/** Counts records by reason and remembers the first few of each. */
export class Groups {
  readonly #groups = new Map<string, { count: number; readonly first: string[] }>();

  add(reason: string, name: string): void {
    const known = this.#groups.get(reason);
    const key = known === undefined && this.#groups.size >= MOST_REASONS ? OTHERS : reason;
    const group = known ?? this.#groups.get(key) ?? { count: 0, first: [] };
    this.#groups.set(key, group);
    group.count += 1;
    if (group.first.length < FIRST) group.first.push(name);
  }

  get count(): number {
    let sum = 0;
    for (const { count } of this.#groups.values()) sum += count;
    return sum;
  }

  /** Lists the groups, the largest first. */
  list(): readonly Group[] {
    return [...this.#groups]
      .map(([reason, group]) => ({ reason, ...group }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}
