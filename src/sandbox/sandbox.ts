import { once } from 'node:events';
import type { Server } from 'node:http';
import { createEdits, type Edits } from './edits.ts';
import { Backend, type Identity } from './http/backend.ts';
import { CallLog, type SandboxCall } from './http/call-log.ts';
import {
  Callbacks,
  checkCallback,
  type CallbackMessage,
  type CallbackOptions,
  type SentCallback,
} from './http/callbacks.ts';
import { createSandboxServer, reasonOf, type CallHook, type ServerDeps } from './http/server.ts';
import { FaultPlan } from './options/faults.ts';
import { parseReadings } from './options/readings.ts';
import { SandboxOptionError } from './options/settings.ts';
import { pageAnswer } from './page.ts';
import type { PushRecord } from './world/records.ts';
import { Store } from './world/store.ts';
import type { World } from './world/world.ts';

export interface SandboxOptions {
  /** Port; 0, the default, takes a free one. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** File that keeps the state; without one it is in memory. */
  readonly data?: string | undefined;
  readonly faults?: string | undefined;
  readonly readings?: readonly string[] | undefined;
  /** Ignores parameters and fields that the interface does not have, instead of refusing the call. */
  readonly lenient?: boolean | undefined;
  readonly token?: string | undefined;
  /** Token of application identity; `sandbox-app-token` by default. */
  readonly appToken?: string | undefined;
  readonly domainId?: string | undefined;
  readonly orgCode?: string | undefined;
  readonly rootName?: string | undefined;
  /** Where callbacks go (interface: Events); without it there are none. */
  readonly callback?: CallbackOptions | undefined;
  /** Returns the time in milliseconds; also used for `Date` of answers. */
  readonly now?: (() => number) | undefined;
}

/** Starts a sandbox; throws SandboxOptionError for an option that cannot be followed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = new Sandbox(options);
  await sandbox.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  return sandbox;
}

/** A local stand-in of the service: it answers all operations of the interface. */
export class Sandbox {
  baseUrl = '';
  /** The true state without any delay, for oracles. */
  readonly state: SandboxState;
  /** Changes behind the client's back: without call, fault or delay. */
  readonly edit: Edits;
  /** Called and awaited before the work of each call. */
  onCall: CallHook | undefined;
  /** Called with each message that is pushed. */
  onPush: (push: PushRecord) => void = () => undefined;
  /** Called with each callback that was sent. */
  onCallback: (sent: SentCallback) => void = () => undefined;
  readonly #backend: Backend;
  readonly #store: Store | undefined;
  readonly #log = new CallLog();
  readonly #callbacks: Callbacks;
  readonly #server: Server;
  #faults: FaultPlan;
  #isClosed = false;

  constructor(options: SandboxOptions) {
    const { data, callback, token = 'sandbox-token', now = Date.now } = options;
    this.#faults = new FaultPlan(options.faults);
    const readings = parseReadings(options.readings ?? []);
    if (callback !== undefined) checkCallback(callback);
    this.#store = data === undefined ? undefined : new Store(data);
    try {
      const known = {
        identity: identityOf(options, this.#store),
        appToken: options.appToken ?? 'sandbox-app-token',
        applicationId: callback?.applicationId ?? 'sandbox-app',
        lenient: options.lenient === true,
      };
      const onPush = (push: PushRecord): void => this.#tell(push);
      this.#backend = new Backend({ ...known, store: this.#store, now, onPush }, token, readings);
    } catch (error) {
      this.#store?.close();
      throw error;
    }
    this.state = createState(this.#backend.world);
    this.edit = createEdits(this.#backend);
    this.#callbacks = new Callbacks(callback, this.#backend, (sent) => this.onCallback(sent));
    const [backend, log, answers] = [this.#backend, this.#log, this.#callbacks];
    const page: ServerDeps['page'] = (received) => pageAnswer({ backend, log, callbacks: answers }, received);
    const controls: ServerDeps['controls'] = () => ({
      faults: this.#faults,
      onCall: this.onCall,
      isClosed: this.#isClosed,
    });
    this.#server = createSandboxServer({ backend, log, now, page, controls });
  }

  async listen(port: number, host: string): Promise<void> {
    try {
      await once(this.#server.listen({ port, host }), 'listening');
    } catch (cause) {
      this.#store?.close();
      const place = `${host}:${port}`;
      throw new SandboxOptionError(`The sandbox cannot listen on ${place}: ${reasonOf(cause)}.`, { cause });
    }
    const address = this.#server.address();
    const open = typeof address === 'object' ? address?.port : undefined;
    this.baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${open}`;
  }

  get token(): string {
    return this.#backend.token;
  }

  get appToken(): string {
    return this.#backend.options.appToken;
  }

  get domainId(): string {
    return this.#backend.options.identity.domainId;
  }

  get orgCode(): string {
    return this.#backend.options.identity.orgCode;
  }

  get rootId(): string {
    return this.#backend.world.organizations.root.id;
  }

  /** The newest 20,000 calls, those with faults too. */
  get calls(): readonly SandboxCall[] {
    return this.#log.calls;
  }

  get callCounts(): Readonly<Record<string, number>> {
    return this.#log.counts;
  }

  /** The newest 1,000 callbacks that were sent; each push sends an event. */
  get callbacks(): readonly SentCallback[] {
    return this.#callbacks.sent;
  }

  /** Sends a callback (interface: Events), and resolves with what became of it. */
  async callback(message: CallbackMessage): Promise<SentCallback> {
    return this.#callbacks.send(message);
  }

  forgetCalls(): void {
    this.#log.forget();
  }

  /** Sets the faults; `undefined` ends them. */
  setFaults(spec: string | undefined): void {
    this.#faults = new FaultPlan(spec);
  }

  /** Sets all readings at once: one that is not named takes its default. */
  setReadings(readings: readonly string[]): void {
    this.#backend.readings = parseReadings(readings);
  }

  setToken(token: string): void {
    this.#backend.token = token;
  }

  /** Closes the server. Calls that a hook still holds are dropped undone, as by a killed server. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const closed = once(this.#server.close(), 'close');
    this.#server.closeAllConnections();
    await closed;
    await this.#callbacks.close();
    this.#store?.close();
  }

  /** Sends an event for a push, as where the first of its readers touches the message. */
  #tell(push: PushRecord): void {
    this.onPush(push);
    const { id, recipients } = push;
    const from = this.state.userById(recipients[0] ?? '')?.username ?? '';
    const event = { msg_type: 'event', event: 'CLICK', event_key: id, from_user_name: from };
    if (this.#callbacks.isConfigured) void this.#callbacks.send(event);
  }
}

const DEFAULTS: Identity = { domainId: 'sandbox', orgCode: 'sandbox', rootName: 'Root' };

/**
 * Returns the identity. A data file keeps the one with which it was created; an option that says otherwise is
 * an error.
 */
function identityOf(options: SandboxOptions, store: Store | undefined): Identity {
  const pick = (name: keyof Identity): string => {
    const stored = store?.fact(name);
    const chosen = options[name] ?? stored ?? DEFAULTS[name];
    if (stored === undefined || stored === chosen) return chosen;
    throw new SandboxOptionError(`The data file belongs to ${name} "${stored}", not "${chosen}".`);
  };
  return { domainId: pick('domainId'), orgCode: pick('orgCode'), rootName: pick('rootName') };
}

/** What the service knows, as records. */
export type SandboxState = ReturnType<typeof createState>;

function createState({ organizations, employees, users, medias, templates, pushes, schedules }: World) {
  return {
    organizations: () => Array.from(organizations.all()),
    employees: () => Array.from(employees.all()),
    users: () => Array.from(users.all()),
    medias: () => Array.from(medias.all()),
    templates: () => Array.from(templates.all()),
    pushes: () => Array.from(pushes.all()),
    schedules: () => Array.from(schedules.all()),
    organization: (id: string) => organizations.get(id),
    organizationBySerial: (serialNo: string) => organizations.bySerial(serialNo),
    /** Finds a node by a path of names (`/Root/Dept`) or of ids. */
    organizationByPath: (path: string) => organizations.byPath(path),
    /** Finds an employee by username in any case. */
    employee: (username: string) => employees.byUsername(username),
    user: (username: string) => users.byUsername(username),
    userById: (id: string) => users.get(id),
    idPath: (id: string) => organizations.idPath(id),
    namePath: (id: string) => organizations.namePath(id),
  } as const;
}
