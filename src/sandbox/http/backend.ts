import { randomUUID } from 'node:crypto';
import type { Route, RouteMatch } from './routes.ts';
import type { Json } from '../../interface/json.ts';
import { invalid, Refused, type Download, type Service } from '../operations/operation.ts';
import { readCall, takesItems, type Call, type CheckedCall } from '../operations/request.ts';
import type { Readings } from '../options/readings.ts';
import type { PushRecord } from '../world/records.ts';
import type { Store } from '../world/store.ts';
import { DelayedView, isEmpty, World } from '../world/world.ts';

export interface Identity {
  readonly domainId: string;
  readonly orgCode: string;
  readonly rootName: string;
}

interface BackendOptions {
  readonly identity: Identity;
  readonly appToken: string;
  readonly applicationId: string;
  readonly lenient: boolean;
  readonly store?: Store | undefined;
  readonly now: () => number;
  /** Called with each message that is pushed. */
  readonly onPush: (push: PushRecord) => void;
}

/** First id, 2^53 + 1: a double cannot hold it, nor any odd number after it. */
const FIRST_ID = '9007199254740993';

/** The service behind the wire: what it knows, what calls see of it, and where it is kept. */
export class Backend {
  readonly world = new World(() => this.readings.usernameCase === 'keep');
  readonly options: BackendOptions;
  token: string;
  readings: Readings;
  readonly #view: DelayedView;
  #nextId: bigint;

  constructor(options: BackendOptions, token: string, readings: Readings) {
    this.options = options;
    this.token = token;
    this.readings = readings;
    this.#view = new DelayedView(this.world, options.now);
    this.#nextId = BigInt(options.store?.fact('nextId') ?? FIRST_ID);
    options.store?.load(this.world);
    if (this.world.organizations.size === 0) this.#plantRoot();
  }

  /** Returns the service for a call: changes go to the world, reads see what is visible now. */
  service(looks: boolean): Service {
    const { identity, applicationId, lenient, now, onPush: pushed } = this.options;
    const world = looks ? this.#view.world : this.world;
    const newId = (): string => this.#takeId();
    return { ...identity, applicationId, world, newId, readings: this.readings, lenient, pushed, now };
  }

  /** Gives 64-bit identifiers, all odd, so that each one changes when it passes through a double. */
  #takeId(): string {
    const id = this.#nextId;
    this.#nextId += 2n;
    return id.toString();
  }

  /** Does what a call asks for; throws Refused. */
  async answer(
    { route, params }: RouteMatch,
    call: Omit<Call, 'name' | 'row' | 'params'>,
  ): Promise<Json | Download> {
    const { row } = route;
    try {
      this.#admit(row, params, call.query);
      return this.#run(
        route,
        await readCall({ ...call, name: route.rowName, row, params }, this.options.lenient),
      );
    } catch (error) {
      if (!(error instanceof Refused) || error.http !== 404) throw error;
      const { notFound } = this.readings;
      // The interface's table of errors has their codes for what is not there.
      if (row.errors.length > 0 || row.answer.kind === 'bytes' || notFound === 'codes') throw error;
      if (notFound === 'null' && row.method === 'GET') return null;
      throw new Refused('missing', 'record not found');
    }
  }

  #run({ name, row, run }: Route, call: CheckedCall): Json | Download {
    const isLock = /^(?:disable|enable|lock|unlock)Employee$/u.test(name);
    const { lockLater, asyncImport } = this.readings;
    const delayMs = isLock ? lockLater : takesItems(row) ? asyncImport : 0;
    if (delayMs > 0) this.#view.hold();
    try {
      return run(this.service(row.method === 'GET'), call);
    } finally {
      this.commit(delayMs);
    }
  }

  /** Stores and shows what was changed since the last time. */
  commit(delayMs = 0): void {
    const { identity, store } = this.options;
    const changes = this.world.takeChanges();
    if (!isEmpty(changes)) store?.write(this.world, changes, { ...identity, nextId: String(this.#nextId) });
    this.#view.publish(changes, delayMs);
  }

  /** Makes a backup; the returned function restores everything as it is now, ids to come too. */
  backup(): () => void {
    const copy = new World(this.world.caseMatters);
    copy.follow(this.world);
    const nextId = this.#nextId;
    return () => {
      this.world.become(copy);
      this.#nextId = nextId;
      this.commit();
    };
  }

  /** Checks the token (interface: Authentication 2), the organization and the domain. */
  #admit(row: Route['row'], params: RouteMatch['params'], query: URLSearchParams): void {
    const { appToken, identity } = this.options;
    const token = query.get('access_token');
    if (token !== this.token && token !== appToken) throw new Refused('token');
    if (row.identity === 'application' && token !== appToken)
      throw invalid('the token is none of an application');
    const code = params['code'] ?? params['org_code'] ?? identity.orgCode;
    if (code !== identity.orgCode) throw new Refused('place', `organization code ${code} does not exist`);
    const domain = 'domain_id' in row.query ? (query.get('domain_id') ?? '') : '';
    if (domain !== '' && domain !== identity.domainId)
      throw new Refused('place', `domain ${domain} does not exist`);
  }

  #plantRoot(): void {
    const created = this.options.now();
    const root = {
      id: this.#takeId(),
      uuid: randomUUID(),
      type: 'CORP',
      name: this.options.identity.rootName,
    };
    this.world.organizations.put({ ...root, created, refreshed: created });
    this.commit();
  }
}
