import { randomUUID } from 'node:crypto';
import { binary, refusal, success, type Answer } from './answer.ts';
import { DelayedView, isEmpty, LongIds, World } from '../world/world.ts';
import type { FoundRoute, MediaRoute, PlainRoute, Route } from './routes.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { MediaRequest } from '../media/media-service.ts';
import { JsonSyntaxError, parseJson } from '../../interface/requests/parse-json.ts';
import type { Readings } from '../options/readings.ts';
import { invalid, Refused, tokenNotFound, wrongPlace, type Service } from '../operations/operation.ts';
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
  readonly strict: boolean;
  readonly store?: Store | undefined;
  readonly files: MediaFiles;
  readonly now: () => number;
}

/** The text of a call, with its route already found. */
interface IncomingCall<R = PlainRoute> extends FoundRoute<R> {
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: string;
}

/** A call of a media operation; a form has its files on disk. */
type MediaCall = IncomingCall<MediaRoute> & Pick<MediaRequest, 'form'>;

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
  readonly files: MediaFiles;
  token: string;
  readonly appToken: string;
  readonly applicationId: string;
  readings: Readings;
  /** Called with each message that is pushed. */
  onPush: (push: PushRecord) => void = () => undefined;
  readonly #strict: boolean;
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
    this.#strict = options.strict;
    this.files = options.files;
    this.#now = options.now;
    this.#view = new DelayedView(this.world, options.now);
    this.#store = options.store;
    this.#ids = new LongIds(this.#store?.fact('nextId'));
    this.#store?.load(this.world);
    if (this.world.organizations.size === 0) this.#plantRoot();
  }

  /** Returns the service for a call: changes go to the world, looks see what is visible by now. */
  service(looks: boolean): Service {
    const world = looks ? this.#view.world : this.world;
    return {
      ...this.identity,
      applicationId: this.applicationId,
      world,
      ids: this.#ids,
      readings: this.readings,
      strict: this.#strict,
      pushed: (push) => this.onPush(push),
      now: this.#now,
    };
  }

  answer(call: IncomingCall): Answer {
    try {
      this.#admit(call);
      const body = readBody(call);
      this.#requireRow(call, { body, form: undefined });
      return success(this.run(call, body));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse(call, error);
    }
  }

  /** Answers a call whose work waits for files. */
  async answerMedia(call: MediaCall): Promise<Answer> {
    const service = { ...this.service(false), files: this.files };
    const { params, query, form } = call;
    try {
      this.#admit(call);
      const request = { params, query, form, body: form === undefined ? readBody(call) : undefined };
      this.#requireRow(call, request);
      const { serve, bytes } = call.route;
      if (bytes !== undefined) return binary(await bytes(service, request));
      return success((await serve?.(service, request)) ?? null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse(call, error);
    } finally {
      this.commit();
    }
  }

  /** Runs an operation; throws Refused. */
  run(
    { route, params, query }: FoundRoute & Pick<IncomingCall, 'query'>,
    body: WireValue | undefined,
  ): WireValue {
    const delayMs = this.#delayOf(route);
    if (delayMs > 0) this.#view.hold();
    try {
      return route.run(this.service(route.method === 'GET'), { params, query, body });
    } finally {
      this.commit(delayMs);
    }
  }

  #delayOf(route: PlainRoute): number {
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
    const kept = new World(this.world.caseMatters);
    kept.follow(this.world);
    const { next } = this.#ids;
    return () => {
      this.world.become(kept);
      this.#ids.restart(next);
      this.commit();
    };
  }

  async close(): Promise<void> {
    this.#store?.close();
    await this.files.close();
  }

  /** Checks the token (interface: Authentication 2), and domain_id where the tables require it. */
  #admit({ route, params, query }: IncomingCall<Route>): void {
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

  #requireRow(
    { route, params, query }: IncomingCall<Route>,
    { body, form }: Pick<MediaRequest, 'body' | 'form'>,
  ): void {
    // What is wrong about a form that cannot be read is told by its operation.
    if (!this.#strict || form?.problem !== undefined) return;
    const fileName = form?.files[0]?.name;
    requireRow(route.row, { params, query, body, form: form?.fields, fileName });
  }

  #refuse({ route }: IncomingCall<Route>, error: Refused): Answer {
    const { notFound } = this.readings;
    // The interface's table of errors has their codes for what is not there.
    const keeps = route.row.errors.length > 0 || 'bytes' in route;
    if (error.kind !== 'missing' || keeps) return refusal(error, this.readings);
    if (notFound === 'null' && route.method === 'GET') return success(null);
    const own = new Refused({ kind: 'missing', status: 990404, text: 'record not found' });
    return refusal(notFound === 'codes' ? error : own, this.readings);
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
  if (body === '') return undefined;
  if (!/^application\/json\b/i.test(contentType)) throw invalid('Content-Type is not application/json');
  try {
    return parseJson(body);
  } catch (cause) {
    if (cause instanceof JsonSyntaxError) throw invalid(`the body is no JSON: ${cause.message}`);
    throw cause;
  }
}
