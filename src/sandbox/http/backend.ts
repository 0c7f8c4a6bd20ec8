import { randomUUID } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { binary, refusal, success, type WireAnswer } from './answer.ts';
import { readForm } from './form.ts';
import { DelayedView, isEmpty, LongIds, World } from '../world/world.ts';
import type { RouteMatch, Route } from './routes.ts';
import { JsonSyntaxError, parseJson } from '../../interface/requests/parse-json.ts';
import type { Readings } from '../options/readings.ts';
import {
  Download,
  invalid,
  Refused,
  tokenNotFound,
  wrongPlace,
  type Request,
  type Service,
} from '../operations/operation.ts';
import { requireRow, takesItems } from '../operations/strict.ts';
import type { Store } from '../world/store.ts';
import type { WireValue } from '../world/wire-value.ts';
import type { PushRecord } from '../world/records.ts';

export interface Identity {
  readonly domainId: string;
  readonly orgCode: string;
  readonly rootName: string;
}

interface BackendOptions {
  readonly identity: Identity;
  readonly token: string;
  readonly appToken: string;
  readonly applicationId: string;
  readonly readings: Readings;
  readonly lenient: boolean;
  readonly store?: Store | undefined;
  readonly now: () => number;
}

/** A call with its route already found, as it came. */
interface IncomingCall extends RouteMatch {
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}

const LOCKING: ReadonlySet<string> = new Set([
  'disableEmployee',
  'lockEmployee',
  'enableEmployee',
  'unlockEmployee',
]);

/** The service behind the wire: what it knows, what calls see of it, and where it is kept. */
export class Backend {
  readonly world = new World(() => this.readings.usernameCase === 'keep');
  readonly identity: Identity;
  token: string;
  readonly appToken: string;
  readonly applicationId: string;
  readings: Readings;
  /** Called with each message that is pushed. */
  onPush: (push: PushRecord) => void = () => undefined;
  readonly #lenient: boolean;
  readonly #view: DelayedView;
  readonly #store: Store | undefined;
  readonly #now: () => number;
  readonly #ids: LongIds;

  constructor(options: BackendOptions) {
    this.identity = options.identity;
    this.token = options.token;
    this.appToken = options.appToken;
    this.applicationId = options.applicationId;
    this.readings = options.readings;
    this.#lenient = options.lenient;
    this.#now = options.now;
    this.#view = new DelayedView(this.world, options.now);
    this.#store = options.store;
    this.#ids = new LongIds(this.#store?.fact('nextId'));
    this.#store?.load(this.world);
    if (this.world.organizations.size === 0) this.#plantRoot();
  }

  /** Returns the service for a call: changes go to the world, reads see what is visible now. */
  service(looks: boolean): Service {
    const world = looks ? this.#view.world : this.world;
    return {
      ...this.identity,
      applicationId: this.applicationId,
      world,
      ids: this.#ids,
      readings: this.readings,
      lenient: this.#lenient,
      pushed: (push) => this.onPush(push),
      now: this.#now,
    };
  }

  async answer(call: IncomingCall): Promise<WireAnswer> {
    const { route, params, query, contentType, body } = call;
    try {
      this.#admit(call);
      const isForm = route.row.body.kind === 'form';
      const request = isForm
        ? { params, query, body: undefined, form: await readForm(contentType, body) }
        : { params, query, body: readBody(call) };
      requireRow(route.row, request, this.#lenient);
      const result = this.#run(route, request);
      return result instanceof Download ? binary(result) : success(result);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse(call, error);
    }
  }

  /** Runs an operation; throws Refused. */
  #run(route: Route, request: Request): WireValue | Download {
    const delayMs = this.#delayOf(route);
    if (delayMs > 0) this.#view.hold();
    try {
      return route.run(this.service(route.method === 'GET'), request);
    } finally {
      this.commit(delayMs);
    }
  }

  #delayOf(route: Route): number {
    if (LOCKING.has(route.name)) return this.readings.lockLater;
    return takesItems(route.row) ? this.readings.asyncImport : 0;
  }

  /** Stores and shows what was changed since the last time. */
  commit(delayMs = 0): void {
    const changes = this.world.takeChanges();
    if (!isEmpty(changes)) {
      this.#store?.write(this.world, changes, { ...this.identity, nextId: this.#ids.next });
    }
    this.#view.publish(changes, delayMs);
  }

  /** Makes a backup; the returned function restores everything as it is now, the sequence of ids too. */
  backup(): () => void {
    const copy = new World(this.world.caseMatters);
    copy.follow(this.world);
    const { next } = this.#ids;
    return () => {
      this.world.become(copy);
      this.#ids.restart(next);
      this.commit();
    };
  }

  close(): void {
    this.#store?.close();
  }

  /** Checks the token (interface: Authentication 2), and domain_id where the tables require it. */
  #admit({ route, params, query }: IncomingCall): void {
    const token = query.get('access_token');
    if (token !== this.token && token !== this.appToken) throw tokenNotFound();
    if (route.row.identity === 'application' && token !== this.appToken)
      throw invalid('the token is none of an application');
    const { domainId, orgCode } = this.identity;
    const code = params['code'] ?? params['org_code'] ?? orgCode;
    if (code !== orgCode) throw wrongPlace(`organization code ${code} does not exist`);
    if (route.row.query['domain_id'] === undefined) return;
    const domain = query.get('domain_id') ?? '';
    if (domain === '') throw invalid('query parameter domain_id is required');
    if (domain !== domainId) throw wrongPlace(`domain ${domain} does not exist`);
  }

  #refuse({ route }: IncomingCall, error: Refused): WireAnswer {
    const { notFound } = this.readings;
    // The interface's table of errors has their codes for what is not there.
    const keeps = route.row.errors.length > 0 || route.row.answer.kind === 'bytes';
    if (error.kind !== 'missing' || keeps) return refusal(error, this.readings);
    if (notFound === 'null' && route.method === 'GET') return success(null);
    const missing = new Refused('missing', 990404, 'record not found');
    return refusal(notFound === 'codes' ? error : missing, this.readings);
  }

  #plantRoot(): void {
    const created = this.#now();
    const root = { id: this.#ids.take(), uuid: randomUUID(), type: 'CORP', name: this.identity.rootName };
    this.world.organizations.put({ ...root, created, refreshed: created });
    this.commit();
  }
}

/** Reads the body of a call (interface: Conventions, 3). */
function readBody({ body, contentType }: Pick<IncomingCall, 'body' | 'contentType'>): WireValue | undefined {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalid('the call is not UTF-8');
  if (!/^application\/json\b/i.test(contentType)) throw invalid('Content-Type is not application/json');
  try {
    return parseJson(body.toString());
  } catch (cause) {
    if (cause instanceof JsonSyntaxError) throw invalid(`the body is no JSON: ${cause.message}`);
    throw cause;
  }
}
