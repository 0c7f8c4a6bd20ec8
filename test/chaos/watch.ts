import { foldUsername } from '../../src/domain/text/fold.ts';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import type { World } from '../sync/world.ts';
import { mostReads } from './invariants.ts';
import type { Others } from './others.ts';

export interface Limits {
  readonly requestsPerSecond: number;
  readonly concurrency: number;
}

/** What the source says of people, where its evidence is whole. */
export interface Truth {
  /** Whether it has the person of this account, as active. */
  readonly isActive: (username: string) => boolean;
  /** Username of the person to whom an address belongs. */
  readonly ownerOf: (email: string) => string | undefined;
}

interface Item {
  readonly username?: string;
  readonly email?: string;
  readonly parent_id?: unknown;
  readonly positions?: readonly { readonly org_id?: unknown }[];
  readonly serial_no?: string;
  readonly ops?: string;
}

const SECOND_MS = 1_000;
const tick = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Looks at each call before the service does its work: order, ownership and pace. What it finds is kept. */
export class Watch {
  readonly findings: string[] = [];
  /** Most calls at once. */
  busiest = 0;
  /** Most starts in one second. */
  fastest = 0;
  /** Who runs has locked nobody, and cannot see whom another one has locked where lists leave them out. */
  isBlindToLocked = false;
  /** Sees each call as well. */
  onCall: (call: SandboxCall) => void = () => undefined;
  readonly #world: World;
  readonly #others: Others;
  readonly #limits: Limits;
  #running = 0;
  #starts: number[] = [];
  #truth: Truth | null = null;
  #reads = 0;
  #stop = new AbortController();

  constructor(world: World, others: Others, limits: Limits) {
    this.#world = world;
    this.#others = others;
    this.#limits = limits;
    world.sandbox.onCall = (call, body) => {
      this.onCall(call);
      return this.#watch(call, body);
    };
  }

  /** A run begins: what it is stopped by once it reads more than any run may. */
  begin(truth: Truth | null = null): AbortSignal {
    this.#truth = truth;
    this.#reads = 0;
    this.#starts = [];
    this.#stop = new AbortController();
    return this.#stop.signal;
  }

  async #watch(call: SandboxCall, body: string): Promise<void> {
    this.#running += 1;
    this.#pace(call);
    this.#count(call);
    // Others have time to arrive: who is here at once is at once.
    await tick();
    await tick();
    this.#check(call, body);
    this.#running -= 1;
  }

  #count({ method }: SandboxCall): void {
    if (method !== 'GET') return;
    this.#reads += 1;
    const { sandbox, source } = this.#world;
    const { state } = sandbox;
    const { units, people } = source.world;
    const ours = units.length + people.length;
    const theirs = state.organizations().length + state.employees().length + state.users().length;
    if (this.#reads <= mostReads(ours + theirs)) return;
    this.#find(`more than ${this.#reads - 1} reads for ${ours + theirs} records`);
    this.#stop.abort();
  }

  #pace({ at }: SandboxCall): void {
    const { requestsPerSecond, concurrency } = this.#limits;
    this.#starts = [...this.#starts.filter((start) => start > at - SECOND_MS), at];
    this.busiest = Math.max(this.busiest, this.#running);
    this.fastest = Math.max(this.fastest, this.#starts.length);
    if (this.#running > concurrency) this.#find(`${this.#running} calls at once`);
    // What was sent before the second began may arrive in it.
    if (this.#starts.length > requestsPerSecond + concurrency + 1)
      this.#find(`${this.#starts.length} calls in one second`);
  }

  #check({ operation, path, method }: SandboxCall, body: string): void {
    if (method === 'GET') return;
    const id =
      new URL(path, 'http://sandbox').pathname.split('/').find((part) => /^\d{6,}$/u.test(part)) ?? '';
    if (operation === 'importOrganizations') for (const item of items(body)) this.#newNode(item);
    else if (operation === 'createOrganization') for (const item of items(`[${body}]`)) this.#newNode(item);
    else if (operation === 'importEmployees') for (const item of items(body)) this.#person(item);
    else if (operation.endsWith('Organization')) this.#node(operation, id);
    else this.#account(operation, id);
  }

  #newNode({ parent_id: parent, serial_no: serialNo = '' }: Item): void {
    if (!this.#isKnown(String(parent))) this.#find(`${serialNo} is sent before its parent`);
  }

  #person({ username = '', email = '', positions = [], ops }: Item): void {
    const { state } = this.#world.sandbox;
    const account = state.employee(username);
    if (this.#others.employees.has(username)) this.#find(`${username} of others is sent`);
    if (ops === 'REMOVE') return this.#leaves('removed', username);
    this.#values(username, email);
    if (account?.locked === true) this.#find(`${username} is imported while locked`);
    for (const { org_id: orgId } of positions)
      if (!this.#isKnown(String(orgId))) this.#find(`${username} is sent before its unit`);
  }

  /** What others deleted is known to be gone by the next full run. */
  #isKnown(orgId: string): boolean {
    const { state } = this.#world.sandbox;
    return state.organization(orgId) !== undefined || this.#others.deletedNodes.has(orgId);
  }

  #node(operation: string, id: string): void {
    const { state } = this.#world.sandbox;
    if (this.#others.organizations.has(id)) this.#find(`${operation} of a node of others`);
    if (operation !== 'deleteOrganization' || state.organization(id) === undefined) return;
    const children = state.organizations().filter(({ parentId }) => parentId === id).length;
    const people = state
      .employees()
      .filter(({ locked }) => !(locked && this.isBlindToLocked))
      .filter(({ positions }) => positions.some(({ orgId }) => orgId === id));
    if (children + people.length > 0)
      this.#find(`a node with ${children} children, ${people.length} people goes`);
  }

  #values(username: string, email: string): void {
    const owner = this.#truth?.ownerOf(email) ?? username;
    if (foldUsername(owner) !== foldUsername(username)) this.#find(`${username} gets the values of ${owner}`);
  }

  /** An account that works is locked or removed. */
  #leaves(how: string, username: string): void {
    if (this.#world.sandbox.state.employee(username)?.locked !== false) return;
    if (this.#truth?.isActive(username) === true)
      this.#find(`${username} is active in the source and ${how}`);
  }

  #account(operation: string, id: string): void {
    const account = this.#world.sandbox.state.employees().find((one) => one.id === id);
    if (account === undefined) return;
    if (operation === 'disableEmployee' || operation === 'deleteEmployee')
      this.#leaves(operation, account.username);
    if (this.#others.employees.has(account.username))
      this.#find(`${operation} of ${account.username} of others`);
    if (this.#others.locked.has(account.username))
      this.#find(`${operation} of ${account.username}, locked by others`);
  }

  #find(finding: string): void {
    if (!this.findings.includes(finding)) this.findings.push(finding);
  }
}

/** Long ids are JSON numbers with more digits than a double has. */
function items(body: string): readonly Item[] {
  return JSON.parse(body.replaceAll(/:\s*(\d{16,})/gu, ':"$1"')) as readonly Item[];
}
