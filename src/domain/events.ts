import type { ChangeCounts, ServiceEvidence } from './changes.ts';
import type { ChannelName } from './settings.ts';
import type { SourcePart } from './reading/source-part.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export type RunKind = 'incremental' | 'full';

/** How a run ended; `held` outranks `partial`, as in the exit codes of the contract. */
export type RunResult = 'ok' | 'partial' | 'held' | 'stopped' | 'failed';

export const PHASES = ['read', 'refresh', 'plan', 'apply', 'verify'] as const;
export type Phase = (typeof PHASES)[number];

/** What asked for a run. `owed`: a full run whose time passed while nothing ran; `reply`: an approver's answer; `http`: POST /sync. */
export type RunTrigger = 'command' | 'start' | 'cron' | 'fullCron' | 'owed' | 'signal' | 'reply' | 'http';

/** A record in the log: people appear as id and username, with nothing else. */
export interface EventRecord {
  readonly subject: 'unit' | 'person';
  /** Source id; `null` if the record has no readable id. */
  readonly id: string | null;
  readonly username?: string | undefined;
}

/** More than ten records with one reason, in one line. */
interface EventRecords {
  readonly subject: 'unit' | 'person';
  readonly count: number;
  /** The first ten by name. */
  readonly first: readonly string[];
  /** Reason of the first, if `…` stands in the reason for what differs. */
  readonly example?: string | undefined;
}

type EventSubject = EventRecord | EventRecords;

/**
 * Fields of each event of a run, without `event` and `run`. The list is closed: a new one is a change of the
 * contract.
 */
export interface EventFields {
  'run.start': { readonly kind: RunKind; readonly trigger: RunTrigger } & RunMode;
  'source.read': {
    /** If increments are wanted: whether all people were read, or what changed. */
    readonly read?: 'full' | 'incremental';
    /** How the source reported changes. */
    readonly how?: string;
    readonly units: number;
    readonly people: number;
    readonly positions: number;
    /** Number of records that could not be mapped. */
    readonly refused: number;
    readonly snapshot: string;
    /** How each part of the read ended, as proof that it did end. */
    readonly parts: readonly SourcePart[];
    /** What the read was decided by: whose directory it is, what was left out or followed. */
    readonly notes?: readonly string[];
    readonly ms: number;
  };
  'service.refresh': {
    readonly kind: RunKind;
    readonly organizations: ServiceEvidence['organizations'];
    readonly users: ServiceEvidence['users'];
    readonly employees: ServiceEvidence['employees'];
    readonly ms: number;
  };
  'plan.ready': {
    readonly hash: string;
    readonly counts: ChangeCounts;
    readonly changes: number;
    readonly held: number;
    readonly blocked: number;
    readonly calls: number;
    readonly estimatedSeconds: number;
  };
  'guard.held': {
    readonly guard: string;
    /** Hash that `sync --approve` takes. */
    readonly hash: string;
    readonly count: number;
    readonly limit: number;
    /** The first records, as id and username. */
    readonly first: readonly string[];
    /** What the records have in common that the others have not. */
    readonly cause: string | null;
  };
  'call.sent': {
    /** Method and path template, e.g. `POST /v1/orgs/{org_code}`; never a query. */
    readonly call: string;
    readonly items: number;
    readonly outcome: 'done' | 'refused' | 'ambiguous';
    /** Status in the envelope, if one came. */
    readonly status?: number | undefined;
    readonly ms: number;
  };
  'call.retry': {
    readonly call: string;
    readonly attempt: number;
    readonly delayMs: number;
    readonly reason: string;
  };
  'item.failed': EventSubject & {
    /** Words of the service or of the mapping. */
    readonly reason: string;
    readonly field?: string | undefined;
  };
  'item.blocked': EventSubject & { readonly reason: string };
  'drift.found': EventSubject & {
    readonly fields: readonly string[];
    readonly action: 'repaired' | 'reported';
  };
  progress: {
    readonly phase: Phase;
    readonly done: number;
    /** Expected total; `null`: not known, and then the ETA is not known either. */
    readonly total: number | null;
    readonly ratePerSecond: number;
    readonly etaSeconds: number | null;
  };
  'run.skipped': {
    readonly kind: RunKind;
    readonly trigger: RunTrigger;
    /** `pending`: it joined the one run that waits already; `stopping`: rollcall stops. */
    readonly reason: 'pending' | 'stopping';
  };
  'run.end': RunEnd;
}

/** Stands in a run that sends nothing (`sync.mode: report`). */
interface RunMode {
  readonly mode?: 'report';
}

/** Fields of `run.end`, the line to watch. Phases that were not reached have 0 ms. */
export interface RunEnd extends RunMode {
  readonly result: RunResult;
  readonly kind: RunKind;
  readonly counts: ChangeCounts;
  readonly applied: number;
  readonly failed: number;
  readonly blocked: number;
  readonly held: number;
  readonly unmanaged: number;
  readonly requests: number;
  readonly retries: number;
  readonly phases: Readonly<Record<Phase, number>>;
  readonly rssMB: number;
  /** The run was about some records alone (`--only`, `revert`): what it held and could not do says nothing of the others. */
  readonly only?: true | undefined;
  /** Attributes in the configuration that the directory does not know. */
  readonly unknown?: readonly string[] | undefined;
  /** Why the run failed, as a sentence. */
  readonly error?: string | undefined;
}

export type EventName = keyof EventFields;
export type RunEvent<K extends EventName = EventName> = {
  readonly [E in K]: { readonly event: E } & EventFields[E];
}[K];

interface EventSpec<K extends EventName> {
  readonly level: (event: RunEvent<K>) => LogLevel;
  /** Text of the line; constant, since data stands in fields. */
  readonly message: string;
  /** One line for the table of events in docs/monitoring.md. */
  readonly about: string;
}

const RESULT_LEVEL = {
  ok: 'info',
  partial: 'warn',
  held: 'warn',
  stopped: 'warn',
  failed: 'error',
} as const satisfies Record<RunResult, LogLevel>;

/** Every event with its level and text. A quiet run logs only `run.start` and `run.end` at level info. */
export const EVENTS: { readonly [K in EventName]: EventSpec<K> } = {
  'run.start': {
    level: () => 'info',
    message: 'run started',
    about: 'A run began: its kind and what asked for it.',
  },
  'source.read': {
    level: () => 'debug',
    message: 'source read to its end',
    about: 'The source was read completely: records of each kind, those that could not be mapped.',
  },
  'service.refresh': {
    level: () => 'debug',
    message: 'view of the service refreshed',
    about: "What was read of the service to bring rollcall's view of it up to date.",
  },
  'plan.ready': {
    level: (e) => (e.changes + e.held > 0 ? 'info' : 'debug'),
    message: 'plan ready',
    about:
      'Counts of planned changes, calls and the estimated time; level debug where there is nothing to do.',
  },
  'guard.held': {
    level: () => 'warn',
    message: 'held by a guard until approved',
    about:
      'A guard tripped: how many changes which limit, the likely cause, and the hash for `sync --approve`.',
  },
  'call.sent': {
    level: (e) => (e.outcome === 'done' ? 'debug' : 'warn'),
    message: 'changing call sent',
    about: 'A call that changes the service, with its outcome; level debug where it went well.',
  },
  'call.retry': {
    level: () => 'debug',
    message: 'call will be tried again',
    about: 'A call failed in a way that may pass: which try it was, why, and the pause before the next.',
  },
  'item.failed': {
    level: () => 'warn',
    message: 'record failed',
    about: 'A record could not be mapped or was refused, in whose words, and when it is tried again.',
  },
  'item.blocked': {
    level: () => 'warn',
    message: 'record blocked',
    about: 'A record waits for something else, which is named.',
  },
  'drift.found': {
    level: (e) => (e.action === 'reported' ? 'warn' : 'info'),
    message: 'managed record edited by somebody else',
    about: 'Fields of a managed record that somebody else edited, and whether they were repaired.',
  },
  progress: {
    level: () => 'info',
    message: 'progress',
    about: 'Every 10 s in a phase that takes longer: done, total, rate per second, ETA in seconds.',
  },
  'run.skipped': {
    level: () => 'info',
    message: 'run skipped',
    about: 'A run was asked for and not started: one waits already, or rollcall stops.',
  },
  'run.end': {
    level: (e) => RESULT_LEVEL[e.result],
    message: 'run ended',
    about:
      'The line to watch: result, counts, what failed, is blocked or held, calls, time by phase, memory.',
  },
};

/** Returns the level at which this event is logged. */
export function levelOf<K extends EventName>(event: RunEvent<K>): LogLevel {
  const spec: EventSpec<K> = EVENTS[event.event];
  return spec.level(event);
}

/**
 * Port: the log. Lines that are not events (a configuration read again, a stop) are notes; their messages are
 * constant too, and data stands in fields. Notes of a run have the event `note`.
 */
export interface Log {
  event(event: RunEvent): void;
  note(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Returns the log for one run: every line of it carries `run`. */
  ofRun(run: string): Log;
}

/** Port: shows how far a long phase is. Starting a phase ends the one before. */
export interface Progress {
  /** @param total records or calls to come; `null`: not known */
  start(phase: Phase, total: number | null): void;
  advance(count?: number): void;
  end(): void;
}

/** One attempt of a call, without query, body or token. */
export interface CallSeen {
  /** Method and path as the interface writes them. */
  readonly call: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** It is sent again after a pause. */
  readonly isRetried: boolean;
  readonly ms: number;
}

/** Port: counts what happens in the runs of a process. It never throws, and never delays a run. */
export interface Observer {
  event(event: RunEvent): void;
  call(call: CallSeen): void;
  /** A notice about a run was not taken. */
  notifyFailed(channel: ChannelName): void;
}
