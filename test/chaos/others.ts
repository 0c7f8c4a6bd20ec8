import { foldUsername } from '../../src/domain/text/fold.ts';
import type { SandboxState } from '../../src/sandbox/sandbox.ts';
import type { World } from '../sync/world.ts';
import type { Chance } from './chance.ts';
import type { Company } from './headquarters.ts';

/** Locked accounts that others enable at a time. */
const LET_IN = 3;

/** What others do in the service, and what of it is theirs alone. */
export class Others {
  readonly #world: World;
  readonly organizations = new Set<string>();
  readonly employees = new Set<string>();
  /** Usernames of accounts that they locked, and only they may unlock. */
  readonly locked = new Set<string>();
  /** Usernames of accounts that another rollcall has locked once: its ledger may still say so, and then it may unlock them. */
  readonly lockedByRival = new Set<string>();
  /** Usernames of accounts that were locked when rollcall came: where the source drops them first, they stay theirs. */
  readonly lockedBefore = new Set<string>();
  /** Usernames of accounts that they deleted. */
  readonly deleted = new Set<string>();
  /** Nodes that they deleted: before a full run nobody can know. */
  readonly deletedNodes = new Set<string>();
  /** Employee ids of accounts with a number that somebody typed in and no source has. */
  readonly #numbered = new Map<string, string>();
  /** Likewise of those with a seat in a node of theirs. */
  readonly #seated = new Map<string, string>();
  #project = '';
  #seen: ReadonlyMap<string, string> = new Map();
  #hired = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Records that are there before rollcall comes: some of them nobody's, some the company's own. */
  plant({ people }: Company): void {
    const { edit, rootId } = this.#world.sandbox;
    const top = this.#node(rootId, 'Partners', 'X-1');
    const below = this.#node(top, 'Guests');
    for (const orgId of [top, below, below, rootId, rootId]) this.#hire(orgId);
    edit.addUser('nobody', 'Nobody');
    edit.addOrganization(rootId, 'A former name', { serialNo: 'u1' });
    edit.addOrganization(rootId, 'Unit u2');
    for (const [index, { username }] of people.slice(3, 33).entries())
      this.#employ(index >= 10 && index % 3 === 0 ? username.toUpperCase() : username, below);
    this.#project = this.#node(rootId, 'Project X');
    for (const { username } of people.slice(3, 13)) this.#typeIn(username);
    for (const { username } of people.slice(40, 43)) edit.addUser(username, 'A user');
    for (const { username } of people.slice(50, 52)) {
      this.#employ(username, top);
      this.lock(username);
      this.lockedBefore.add(username);
    }
    this.remember();
  }

  /** Others sit, and have nodes of their own, where rollcall works. */
  settleIn(units: readonly string[]): void {
    for (const serialNo of units) {
      const { id } = this.#world.organization(serialNo);
      this.#hire(id);
      if (serialNo === units[0]) this.#hire(this.#node(id, `Partners of ${serialNo}`));
    }
    this.remember();
  }

  /** After a restore: what they make gets ids that were ours. */
  moveIn(): void {
    const { rootId } = this.#world.sandbox;
    for (const n of [1, 2, 3]) {
      this.#node(rootId, `Moved in ${n}`, `X-M${n}`);
      this.#hire(rootId);
    }
    this.remember();
  }

  /** Edits of what rollcall manages; those who were locked before are let in again. */
  interfere({ people, units }: Company, chance: Chance): void {
    const { edit } = this.#world.sandbox;
    const lockedSoFar = new Set(
      this.#world.sandbox.state.employees().flatMap(({ username, locked }) => (locked ? [username] : [])),
    );
    for (const username of this.locked) edit.unlockEmployee(username);
    this.locked.clear();
    const accounts = new Map(
      this.#world.sandbox.state.employees().map((one) => [foldUsername(one.username), one]),
    );
    this.#letIn(chance);
    const here = people
      .filter(({ active }) => active === true)
      .flatMap(({ username }) => accounts.get(foldUsername(username)) ?? [])
      // Whose unit somebody deleted, and whose record is bad since then, sits nowhere: the service takes no edit of them.
      .filter(({ locked, positions }) => !locked && positions.length > 0)
      .map(({ username }) => username);
    const [edited, seated, deleted, locked] = [10, 4, 3, 2].map((count) => chance.some(here, count));
    for (const username of edited ?? []) edit.changeEmployee(username, { name: 'Edited', email: 'x@y.z' });
    for (const username of seated ?? []) {
      edit.changeEmployee(username, { positions: [{ org_id: this.#world.sandbox.rootId, primary: true }] });
    }
    this.#give(here, chance, new Set(seated));
    for (const username of deleted ?? []) this.#delete(username);
    // Unlocked and locked again between two runs is not to be told from what rollcall has locked.
    const isRollcalls = (username: string): boolean =>
      lockedSoFar.has(username) || this.lockedByRival.has(username);
    for (const username of locked ?? [])
      if (!this.deleted.has(username) && !isRollcalls(username)) this.lock(username);
    this.#rearrange(
      units.map(({ id }) => id),
      chance,
    );
  }

  /** Some whom rollcall has locked: one of them comes back to a desk that is no longer theirs. */
  #letIn(chance: Chance): void {
    const { edit, state } = this.#world.sandbox;
    const ours = state
      .employees()
      .filter(({ username, locked }) => locked && !this.employees.has(username))
      .filter(({ username }) => !this.lockedBefore.has(username));
    for (const { username } of chance.some(ours, LET_IN)) edit.unlockEmployee(username);
  }

  /** A node renamed, one below another one, one deleted with all that is in it. */
  #rearrange(units: readonly string[], chance: Chance): void {
    const { edit, state, rootId } = this.#world.sandbox;
    const here = units.flatMap((id) => state.organizationBySerial(id) ?? []);
    const [renamed, moved] = chance.some(here, 2);
    if (renamed !== undefined) edit.changeOrganization(renamed.id, { name: `Edited ${renamed.id}` });
    if (moved !== undefined) edit.changeOrganization(moved.id, { parentId: rootId });
    const leaves = here.filter(({ id }) => !state.organizations().some(({ parentId }) => parentId === id));
    const empty = leaves.filter(({ id }) => !this.#anybodyElse(id));
    for (const { id } of chance.some(empty, 1)) {
      edit.removeOrganization(id);
      this.deletedNodes.add(id);
    }
  }

  #anybodyElse(orgId: string): boolean {
    const { state } = this.#world.sandbox;
    const at = state.employees().filter(({ positions }) => positions.some((one) => one.orgId === orgId));
    return at.some(({ username }) => this.employees.has(username));
  }

  lock(username: string): void {
    this.#world.sandbox.edit.lockEmployee(username);
    this.locked.add(username);
  }

  /** Of whom a ledger from before does not know that rollcall locked them, nobody else can know it either. */
  takeLocked(): void {
    for (const { username, locked } of this.#world.sandbox.state.employees())
      if (locked && !this.employees.has(username)) this.locked.add(username);
  }

  /** What is theirs and was changed since; times aside. */
  changed(): readonly string[] {
    const now = this.#snapshot();
    const lost = [...this.#lost(this.#numbered, 'number'), ...this.#lost(this.#seated, 'seat')];
    const edited = [...this.#seen].flatMap(([name, text]) => {
      const after = now.get(name);
      return after === text ? [] : [`${name} of others was ${text} and is ${after ?? 'gone'}`];
    });
    return [...edited, ...lost];
  }

  remember(): void {
    this.#seen = this.#snapshot();
  }

  /** What is theirs when the service is backed up; what it gives back is called when that comes back. */
  backup(): () => void {
    const sets = [
      this.organizations,
      this.employees,
      this.locked,
      this.lockedBefore,
      this.deleted,
      this.deletedNodes,
    ];
    const maps = [this.#numbered, this.#seated];
    const kept = { sets: sets.map((one) => [...one]), maps: maps.map((one) => [...one]), seen: this.#seen };
    return () => {
      for (const [index, set] of sets.entries()) refill(set, kept.sets[index] ?? [], (one) => set.add(one));
      for (const [index, map] of maps.entries())
        refill(map, kept.maps[index] ?? [], ([name, id]) => map.set(name, id));
      this.#seen = kept.seen;
    };
  }

  #snapshot(): ReadonlyMap<string, string> {
    const { state } = this.#world.sandbox;
    const nodes = [...this.organizations].map(
      (id) => [`node ${id}`, textOf(state.organization(id))] as const,
    );
    const people = [...this.employees].map(
      (name) => [`employee ${name}`, textOf(state.employee(name))] as const,
    );
    return new Map([...nodes, ...people]);
  }

  /** Of the same account as then: one that was deleted is made without them. */
  #lost(ids: ReadonlyMap<string, string>, what: 'number' | 'seat'): readonly string[] {
    return [...ids].flatMap(([username, id]) => {
      const employee = this.#world.sandbox.state.employee(username);
      if (employee?.id !== id) return [];
      const seats = employee.positions.map(({ orgId }) => orgId);
      const isThere =
        what === 'seat' ? seats.includes(this.#project) : employee.profile['sn'] === `SN ${username}`;
      return isThere ? [] : [`the ${what} that others gave ${username} is lost`];
    });
  }

  /** What is theirs on accounts of ours: who was given another seat has no other any more. */
  #give(here: readonly string[], chance: Chance, moved: ReadonlySet<string>): void {
    for (const username of moved) this.#seated.delete(username);
    for (const username of chance.some(here, 6)) this.#typeIn(username);
    for (const username of chance.some(here, 4)) this.#seat(username);
  }

  #typeIn(username: string): void {
    const { id } = this.#world.sandbox.edit.changeEmployee(username, { sn: `SN ${username}`, sort_order: 7 });
    this.#numbered.set(username, id);
  }

  #seat(username: string): void {
    const { edit, state } = this.#world.sandbox;
    const seats = (state.employee(username)?.positions ?? []).map(
      ({ orgId, jobTitle = '', primary, chief }) => {
        return { org_id: orgId, job_title: jobTitle, primary, chief };
      },
    );
    const positions = [...seats, { org_id: this.#project, job_title: 'Adviser' }];
    this.#seated.set(username, edit.changeEmployee(username, { positions }).id);
  }

  #delete(username: string): void {
    this.#world.sandbox.edit.removeEmployee(username);
    this.deleted.add(username);
  }

  #node(parentId: string, name: string, serialNo?: string): string {
    const { id } = this.#world.sandbox.edit.addOrganization(parentId, name, { serialNo });
    this.organizations.add(id);
    return id;
  }

  #hire(orgId: string): void {
    this.#hired += 1;
    const username = `partner${this.#hired}`;
    this.#employ(username, orgId);
    this.employees.add(username);
  }

  #employ(username: string, orgId: string): void {
    const positions = [{ org_id: orgId, job_title: 'Partner', primary: true }];
    this.#world.sandbox.edit.addEmployee({ username, name: `Partner ${username}`, positions });
  }
}

function refill<T>(all: { readonly clear: () => void }, kept: readonly T[], put: (one: T) => unknown): void {
  all.clear();
  for (const one of kept) put(one);
}

type Kept = ReturnType<SandboxState['organization']> | ReturnType<SandboxState['employee']>;

function textOf(record: Kept): string {
  if (record === undefined) return 'gone';
  const { refreshed: _, ...rest } = record;
  return JSON.stringify(rest);
}
