import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Change, PersonChange, UnitChange } from '../../src/domain/changes.ts';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { PersonEntry, UnitEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import type { Person, Position, Unit } from '../../src/domain/records/records.ts';
import { showValue, type Employee, type Organization } from '../../src/domain/ports/service.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { shownOf } from '../../src/domain/ports/shown.ts';
import { decidePerson, type PersonDecision } from '../../src/plan/people/decide-person.ts';
import { decideUnits, type UnitsDecision } from '../../src/plan/units/decide-units.ts';
import { hashLine } from '../../src/plan/changes/change-digest.ts';
import { placePositions } from '../../src/plan/people/positions.ts';
import { buildTree, type UnitTree } from '../../src/plan/units/tree.ts';
import { rules, SYNC } from './build.ts';

interface SourceWorld {
  readonly units: readonly Unit[];
  readonly people: readonly Person[];
}

interface Planned {
  readonly tree: UnitTree;
  readonly units: UnitsDecision;
  readonly people: readonly { readonly row: PersonRow; readonly decision: PersonDecision }[];
  readonly changes: readonly Change[];
  readonly hash: string;
}

const DAY = 86_400_000;

/** Ledger and service of a test, in the simplest form that keeps what the port promises. */
class Model {
  readonly units = new Map<string, UnitEntry>();
  readonly people = new Map<string, PersonEntry>();
  readonly nodes = new Map<string, Organization>();
  readonly employees = new Map<string, Employee>();
  readonly sync: SyncSettings;
  now = 0;
  #ids = 100;

  constructor(sync: Partial<SyncSettings> = {}) {
    this.sync = { ...SYNC, ...sync };
  }

  /** A day later, what this source would change. */
  plan(world: SourceWorld): Planned {
    this.now += DAY;
    const tree = buildTree({ units: world.units, refusals: [], root: null });
    const units = decideUnits({
      tree,
      entries: [...this.units.values()],
      organizations: [...this.nodes.values()],
      oldNodes: new Set(),
      rootOrgId: 'root',
      sync: this.sync,
    });
    const people = this.#rows(world, tree).map((row) => ({ row, decision: this.#decide(row, units) }));
    const changes = [
      ...units.changes,
      ...people.flatMap(({ decision }) => (decision.is === 'change' ? [decision.change] : [])),
    ];
    return { tree, units, people, changes, hash: hashOf(changes) };
  }

  apply({ units, people }: Planned): void {
    for (const { row, decision } of people) this.#note(row, decision);
    for (const change of units.changes) if (change.kind !== 'remove') this.#unit(change);
    for (const { decision } of people) if (decision.is === 'change') this.#person(decision.change);
    for (const change of units.changes) if (change.kind === 'remove') this.#removeUnit(change);
  }

  orgIdOf(unit: string | null): string | undefined {
    return unit === null ? 'root' : (this.units.get(unit)?.orgId ?? undefined);
  }

  #rows(world: SourceWorld, tree: UnitTree): readonly PersonRow[] {
    const desired = new Map(world.people.map((person) => [person.id, person]));
    const ids = [...new Set([...desired.keys(), ...this.people.keys()])].toSorted();
    return ids.map((id) => this.#row(id, desired.get(id), tree));
  }

  #row(id: string, person: Person | undefined, tree: UnitTree): PersonRow {
    const entry = this.people.get(id) ?? null;
    const username = usernameOf(entry, person);
    const employee = this.employees.get(username);
    const wanted = person?.username ?? username;
    const owner = [...this.people.values()].find((other) => other.id !== id && other.username === wanted);
    return {
      id,
      desired: person === undefined ? null : stagedOf(person, tree),
      entry,
      employee: employee === undefined ? null : { ...employee, shown: shownOf(employee) },
      renamed: null,
      isUserDisabled: false,
      unclear: null,
      newAccount: null,
      usernameOwner: owner?.id ?? null,
      ownerMissing: false,
      claimedBy: null,
      claimIsBad: false,
      claimHasLeft: false,
    };
  }

  /** Who joins a unit that is blocked waits with it, as in the run. */
  #decide(row: PersonRow, units: UnitsDecision): PersonDecision {
    const orgIdOf = (unit: string | null) => this.orgIdOf(unit);
    const decision = decidePerson(row, rules({ sync: this.sync, now: this.now, orgIdOf }));
    if (decision.is !== 'change' || ['disable', 'remove', 'forget'].includes(decision.change.kind))
      return decision;
    const waits = decision.change.payload.positions.some(
      ({ unit }) => unit !== null && units.blocked.has(unit) && orgIdOf(unit) === undefined,
    );
    return waits ? { is: 'blocked', reason: 'waits for its unit' } : decision;
  }

  #note({ id, entry }: PersonRow, decision: PersonDecision): void {
    if (entry === null) return;
    if (decision.is === 'miss')
      this.people.set(id, { ...entry, misses: decision.misses, missedAt: this.now });
    if (decision.is === 'forget') this.people.set(id, { ...entry, state: 'removed', accepted: null });
    if (decision.is === 'close' && decision.accepted !== null)
      this.people.set(id, { ...entry, accepted: decision.accepted });
  }

  #unit({ id, orgId, serialNo, payload }: UnitChange): void {
    const parentId = this.orgIdOf(payload.parent);
    if (parentId === undefined) throw new Error(`${id} is sent before its parent`);
    const known = orgId === null ? undefined : this.nodes.get(orgId);
    const nodeId = orgId ?? this.#nextId();
    const fields = { ...known?.fields, ...payload.fields, serial_no: serialNo };
    const name = showValue(payload.fields['name']);
    this.nodes.set(nodeId, { id: nodeId, parentId, name, serialNo, employeeCount: 0, fields });
    this.units.set(id, { id, state: 'managed', orgId: nodeId, serialNo, sent: payload, accepted: fields });
  }

  #removeUnit({ id, orgId }: UnitChange): void {
    const entry = this.units.get(id);
    if (orgId === null || entry === undefined) throw new Error(`${id} has no node`);
    const children = [...this.nodes.values()].some(({ parentId }) => parentId === orgId);
    const employees = [...this.employees.values()].some(({ positions }) =>
      positions.some((position) => position.orgId === orgId),
    );
    if (children || employees) return;
    this.nodes.delete(orgId);
    this.units.set(id, { ...entry, state: 'removed', orgId: null, accepted: null });
  }

  #person(change: PersonChange): void {
    const entry = this.people.get(change.id);
    const employee = this.employees.get(change.username);
    if (change.kind === 'remove' || change.kind === 'forget') {
      this.employees.delete(change.username);
      if (entry !== undefined) this.people.set(change.id, { ...entry, state: 'removed', accepted: null });
    } else if (change.kind === 'disable') {
      if (employee === undefined) throw new Error(`${change.username} is not there`);
      this.employees.set(change.username, { ...employee, locked: true });
      const sent = entry?.sent ?? change.payload;
      this.people.set(change.id, {
        ...this.#entry(change, employee),
        sent,
        state: 'disabled',
        disabledAt: this.now,
      });
    } else this.#import(change, employee);
  }

  #import(change: PersonChange, known: Employee | undefined): void {
    const { username, payload } = change;
    const positions = payload.positions.map(({ unit, fields }) => {
      const orgId = this.orgIdOf(unit);
      if (orgId === undefined) throw new Error(`${username} is sent before unit ${unit}`);
      return { orgId, fields };
    });
    const fields: Fields = { ...known?.fields, ...payload.fields };
    const employee = { id: known?.id ?? this.#nextId(), username, locked: false, fields, positions };
    this.employees.set(username, employee);
    this.people.set(change.id, this.#entry(change, employee));
  }

  #entry({ id, username, payload }: PersonChange, employee: Employee): PersonEntry {
    return {
      id,
      username,
      state: 'managed',
      employeeId: employee.id,
      sent: payload,
      secretHash: null,
      accepted: shownOf(employee),
      misses: 0,
      missedAt: null,
      disabledAt: null,
    };
  }

  #nextId(): string {
    this.#ids += 1;
    return String(this.#ids);
  }
}

function usernameOf(entry: PersonEntry | null, person: Person | undefined): string {
  const free = entry === null || entry.state === 'removed';
  return (free ? person?.username : entry.username) ?? entry?.username ?? '';
}

function stagedOf({ id, username, active, fields, positions }: Person, tree: UnitTree): PersonRow['desired'] {
  const placed = placePositions(positions, tree);
  const payload = { fields, positions: placed.positions };
  return { id, username, active, hash: 'x', secretHash: null, payload, problem: placed.problem };
}

function hashOf(changes: readonly Change[]): string {
  const ordered = changes.toSorted((a, b) => (`${a.subject} ${a.id}` < `${b.subject} ${b.id}` ? -1 : 1));
  return createHash('sha256').update(ordered.map(hashLine).join('\n')).digest('hex');
}

const UNIT_IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 3 });

/** Also with circles, unknown parents, two of one id, and siblings of one name. */
const someUnit: fc.Arbitrary<Unit> = fc
  .record({
    id: fc.constantFrom(...UNIT_IDS),
    parent: maybe(fc.constantFrom(...UNIT_IDS, 'nowhere')),
    name: fc.constantFrom('Sales', 'Tech', 'HR', '人事', 'a/b'),
    tel: maybe(fc.constantFrom('1', '2')),
  })
  .map(({ id, parent, name, tel }) => ({ id, refs: [id, `ref-${id}`], parent, fields: { name, tel } }));

const somePosition: fc.Arbitrary<Position> = fc
  .record({
    unit: maybe(fc.constantFrom(...UNIT_IDS, ...UNIT_IDS.map((id) => `ref-${id}`))),
    job_title: maybe(fc.constantFrom('Clerk', 'Head of Sales')),
    primary: maybe(fc.boolean()),
  })
  .map(({ unit, ...fields }) => ({ unit, fields }));

const somePerson: fc.Arbitrary<Person> = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4', '5'),
    login: fc.constantFrom('', 'x'),
    active: fc.constantFrom(true, true, true, false, null),
    name: fc.constantFrom('Ann', '王芳'),
    email: maybe(fc.constantFrom('a@x', 'b@x')),
    tags: maybe(fc.subarray(['1', '2', '3'])),
    positions: fc.array(somePosition, { minLength: 1, maxLength: 4 }),
  })
  .map(({ id, login, active, name, email, tags, positions }) => {
    return { id, username: `u${id}${login}`, active, fields: { name, email, tags }, secrets: {}, positions };
  });

/** Ids of people are distinct: those of a read that are not are sorted out by staging. */
const someSource: fc.Arbitrary<SourceWorld> = fc.record({
  units: fc.array(someUnit, { maxLength: 7 }),
  people: fc.uniqueArray(somePerson, { selector: ({ id }) => id }),
});

const someSync: fc.Arbitrary<Partial<SyncSettings>> = fc.record({
  leavers: fc.record({
    misses: fc.constantFrom(1, 2),
    missEveryMinutes: fc.constant(10),
    action: fc.constantFrom('disable', 'remove'),
    removeAfterDays: fc.constantFrom(null, 1),
  }),
  unitsGone: fc.constantFrom('remove', 'keep'),
});

/** Plans and applies until nothing counts down any more: misses, days, units that wait to be empty. */
function settle(model: Model, world: SourceWorld): void {
  for (let day = 0; day < 8; day += 1) model.apply(model.plan(world));
}

/** Removals that wait for nodes to be empty are planned again, and are no calls. */
const sends = ({ changes }: Planned): readonly Change[] => changes.filter(({ kind }) => kind !== 'remove');

describe('properties', () => {
  test('planning what was just applied gives nothing', () => {
    fc.assert(
      fc.property(someSource, someSource, someSync, (first, second, sync) => {
        const model = new Model(sync);
        settle(model, first);
        expect(sends(model.plan(first))).toEqual([]);
        settle(model, second);
        expect(sends(model.plan(second))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('one application is enough where nobody has to be missed', () => {
    fc.assert(
      fc.property(someSource, (world) => {
        const model = new Model();
        model.apply(model.plan(world));
        expect(model.plan(world).changes).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('the order of the source does not matter: same tree, same decisions, same hash', () => {
    const shuffled = someSource.chain((world) =>
      fc.record({
        world: fc.constant(world),
        units: fc.shuffledSubarray([...world.units], { minLength: world.units.length }),
        people: fc.shuffledSubarray([...world.people], { minLength: world.people.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, someSource, ({ world, units, people }, before) => {
        const model = new Model();
        settle(model, before);
        const other = people.map((person) => ({ ...person, positions: person.positions.toReversed() }));
        const one = model.plan(world);
        model.now -= DAY;
        const two = model.plan({ units, people: other });
        expect([...two.tree.nodes.keys()]).toEqual([...one.tree.nodes.keys()]);
        expect(two.tree.problems).toEqual(one.tree.problems);
        expect(two.units).toEqual(one.units);
        expect(two.people.map(({ decision }) => decision)).toEqual(
          one.people.map(({ decision }) => decision),
        );
        expect(two.hash).toBe(one.hash);
      }),
      { numRuns: 500 },
    );
  });

  test('what is not ours is never changed', () => {
    fc.assert(
      fc.property(someSource, someSource, (first, second) => {
        const model = new Model({ leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } });
        const stranger = {
          id: 's',
          username: 'stranger',
          locked: false,
          fields: { name: 'S' },
          positions: [],
        };
        const theirs = {
          id: 't',
          parentId: 'root',
          name: 'Theirs',
          serialNo: 'theirs',
          employeeCount: 1,
          fields: {},
        };
        model.employees.set('stranger', stranger);
        model.nodes.set('t', theirs);
        settle(model, first);
        settle(model, second);
        expect(model.employees.get('stranger')).toBe(stranger);
        expect(model.nodes.get('t')).toBe(theirs);
      }),
    );
  });
});
