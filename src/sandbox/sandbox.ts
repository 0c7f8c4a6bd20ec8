import type { FastifyInstance } from 'fastify';
import {
  Callbacks,
  checkCallback,
  type CallbackMessage,
  type CallbackOptions,
  type SentCallback,
} from './http/callbacks.ts';
import { createEdits, type Edits } from './edits.ts';
import type { CallHook, Controls, SandboxDeps } from './http/answer-call.ts';
import { Backend, type Identity } from './http/backend.ts';
import { CallLog, type SandboxCall } from './http/call-log.ts';
import { FaultPlan } from './options/faults.ts';
import { createSandboxServer } from './http/server.ts';
import { parseReadings, SandboxOptionError, type Readings } from './options/readings.ts';
import { addPage } from './page.ts';
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

/** A local stand-in of the service; it answers the organizations, employees, users and medias of the interface. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly token: string;
  readonly appToken: string;
  readonly domainId: string;
  readonly orgCode: string;
  readonly rootId: string;
  /** The true state without any delay, for oracles. */
  readonly state: SandboxState;
  /** Changes behind the client's back: without call, fault or delay. */
  readonly edit: Edits;
  /** The newest 20,000 calls, those with faults too. */
  readonly calls: readonly SandboxCall[];
  readonly callCounts: Readonly<Record<string, number>>;
  /** Called and awaited before the work of each call. */
  onCall: CallHook | undefined;
  /** Sends a callback (interface: Events), and resolves with what became of it. */
  readonly callback: (message: CallbackMessage) => Promise<SentCallback>;
  /** The newest 1,000 callbacks that were sent; each push sends an event. */
  readonly callbacks: readonly SentCallback[];
  /** Called with each message that is pushed. */
  onPush: (push: PushRecord) => void;
  /** Called with each callback that was sent. */
  onCallback: (sent: SentCallback) => void;
  readonly forgetCalls: () => void;
  /** Sets the faults; `undefined` ends them. */
  readonly setFaults: (spec: string | undefined) => void;
  /** Sets all readings at once: one that is not named takes its default. */
  readonly setReadings: (readings: readonly string[]) => void;
  readonly setToken: (token: string) => void;
  readonly close: () => Promise<void>;
}

/** Starts a sandbox; throws SandboxOptionError for an option that cannot be followed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const controls = controlsOf(options);
  const readings = parseReadings(options.readings ?? []);
  if (options.callback !== undefined) checkCallback(options.callback);
  const backend = openBackend(options, readings, now);
  const log = new CallLog();
  const callbacks = callbacksOf(options, backend, now);
  const deps = { backend, log, controls, now };
  const server = createSandboxServer(deps);
  addPage(server, { backend, log, callbacks });
  backend.onPush = (push) => {
    controls.onPush(push);
    sendEvent(push, backend, callbacks);
  };
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, options.port ?? 0, host).catch((error: unknown) => {
    backend.close();
    throw error;
  });
  return assemble({ ...deps, server, callbacks, baseUrl: `http://${bracketed(host)}:${port}` });
}

function controlsOf({ faults }: SandboxOptions): Controls {
  return { faults: new FaultPlan(faults), onCall: undefined, onPush: () => undefined, closed: false };
}

function openBackend(options: SandboxOptions, readings: Readings, now: () => number): Backend {
  const store = options.data === undefined ? undefined : new Store(options.data);
  try {
    const identity = identityOf(options, store);
    const token = options.token ?? 'sandbox-token';
    const appToken = options.appToken ?? 'sandbox-app-token';
    const applicationId = options.callback?.applicationId ?? 'sandbox-app';
    const known = { identity, token, appToken, applicationId };
    return new Backend({ ...known, readings, lenient: options.lenient === true, store, now });
  } catch (error) {
    store?.close();
    throw error;
  }
}

interface Assembly extends SandboxDeps {
  readonly server: FastifyInstance;
  readonly callbacks: Callbacks;
  readonly baseUrl: string;
}

function assemble({ backend, log, controls, server, callbacks, baseUrl }: Assembly): Sandbox {
  return {
    baseUrl,
    ...lasting(backend),
    get token() {
      return backend.token;
    },
    get calls() {
      return log.calls;
    },
    get callCounts() {
      return log.counts;
    },
    get onCall() {
      return controls.onCall;
    },
    set onCall(hook) {
      controls.onCall = hook;
    },
    callback: (message) => callbacks.send(message),
    callbacks: callbacks.sent,
    get onPush() {
      return controls.onPush;
    },
    set onPush(hook) {
      controls.onPush = hook;
    },
    get onCallback() {
      return callbacks.onSent;
    },
    set onCallback(hook) {
      callbacks.onSent = hook;
    },
    forgetCalls: () => log.forget(),
    setFaults: (spec) => void (controls.faults = new FaultPlan(spec)),
    setReadings: (texts) => void (backend.readings = parseReadings(texts)),
    setToken: (token) => void (backend.token = token),
    close: () => close(server, backend, controls, callbacks),
  };
}

/** Returns what stays the same as long as the sandbox runs. */
function lasting(
  backend: Backend,
): Pick<Sandbox, 'appToken' | 'domainId' | 'orgCode' | 'rootId' | 'state' | 'edit'> {
  return {
    appToken: backend.appToken,
    domainId: backend.identity.domainId,
    orgCode: backend.identity.orgCode,
    rootId: backend.world.organizations.root.id,
    state: createState(backend.world),
    edit: createEdits(backend),
  };
}

/** Returns the sender of callbacks (interface: Events). */
function callbacksOf(
  { callback }: SandboxOptions,
  { world, identity, applicationId }: Backend,
  now: () => number,
): Callbacks {
  const userId = (username: string): string | undefined => world.users.byUsername(username)?.id;
  return new Callbacks(callback, { domainId: identity.domainId, applicationId, userId, now });
}

/** Sends an event for a push, as where the first of its readers touches the message. */
function sendEvent({ id, recipients }: PushRecord, { world }: Backend, callbacks: Callbacks): void {
  if (!callbacks.isConfigured) return;
  const from = world.users.get(recipients[0] ?? '')?.username ?? '';
  void callbacks.send({ msg_type: 'event', event: 'CLICK', event_key: id, from_user_name: from });
}

async function listen(server: FastifyInstance, port: number, host: string): Promise<number> {
  try {
    await server.listen({ port, host });
  } catch (cause) {
    await server.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxOptionError(`The sandbox cannot listen on ${host}:${port}: ${reason}.`, { cause });
  }
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return address.port;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Closes the server. Calls that a hook still holds are dropped undone, as by a killed server. */
async function close(
  server: FastifyInstance,
  backend: Backend,
  controls: Controls,
  callbacks: Callbacks,
): Promise<void> {
  if (controls.closed) return;
  controls.closed = true;
  await server.close();
  await callbacks.close();
  backend.close();
}

const DEFAULTS: Identity = { domainId: 'sandbox', orgCode: 'sandbox', rootName: 'Root' };

/**
 * Returns the identity. A data file keeps the one with which it was created; an option that says otherwise is
 * an error.
 */
function identityOf(
  options: { readonly [Name in keyof Identity]?: string | undefined },
  store: Store | undefined,
): Identity {
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

function createState(world: World) {
  const { organizations, employees, users, medias, templates, pushes, schedules } = world;
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
