import { lineOf, secretsOf } from '../config/load-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Log, Observer } from '../domain/events.ts';
import type { Service } from '../domain/ports/service.ts';
import type { Source } from '../domain/reading/source.ts';
import { systemClock } from '../lib/clock.ts';
import { createLogger, type Logger, type Pretty } from '../runtime/logger.ts';
import { columnsOf, wantsColour } from '../runtime/screen.ts';
import { createCaller, type Caller } from '../service/create-caller.ts';
import { createService } from '../service/create-service.ts';
import type { CallReport } from '../service/calls/call.ts';
import { Refusals } from '../source/connect/refusals.ts';
import { openSource } from '../source/open-source.ts';
import { loadSetup, type Setup, type SetupOptions } from './setup.ts';
export type { Caller } from '../service/create-caller.ts';
export { fileProblem } from '../lib/file-problem.ts';
export { checkTarget } from '../service/files/file-sink.ts';

/** What works with source and service starts with: the configuration as it is now, the log, and one client. */
export interface App extends Setup {
  readonly log: Logger;
  readonly observer: Observer | undefined;
  /** One client for all runs: its pace and what the service asked for (`Retry-After`) outlast a run. */
  readonly service: Service;
  /** Outlasts a run as well: a password that was refused is not tried again at once. */
  readonly refusals: Refusals;
}

interface AppOptions {
  /** Where log lines go; `stderr` leaves stdout to the verb's own answer. */
  readonly logTo: 'stdout' | 'stderr';
  /** Whether stderr gets all log lines, and not only errors. */
  readonly logsAll?: boolean;
  /** Sees the events of runs, and each call. */
  readonly observer?: Observer | undefined;
  /** How long a shared pace that does not answer is asked again, ms; 30 s without. */
  readonly patienceMs?: number;
}

export function loadApp(from: SetupOptions, options: AppOptions): App {
  const { logTo, logsAll = false, observer, patienceMs } = options;
  const setup = loadSetup(from);
  const { settings, env } = setup;
  const stream = from[logTo];
  const log = createLogger({
    level: logTo === 'stdout' || logsAll ? settings.log.level : 'error',
    secrets: secretsOf(settings),
    pretty: stream.isTTY ? prettyOn(stream, env) : undefined,
    ...(stream === process.stdout ? {} : { out: stream }),
  });
  for (const warning of setup.warnings) log.note('warn', warning);
  const service = createService(settings.service, {
    clock: systemClock,
    onCall: (report) => {
      logCall(log.ofCurrentRun(), report);
      const { call, outcome, ms, retryInMs } = report;
      observer?.call({ call, outcome, ms, isRetried: retryInMs !== null });
    },
    onToken: (token) => log.hide(token),
    patienceMs,
  });
  const refusals = new Refusals(() => systemClock.now());
  return { ...setup, log, observer, service, refusals };
}

/** Logs a call as `call.sent` or `call.retry`; the line never has a query, body or token in it. */
function logCall(log: Log, report: CallReport): void {
  const { call, items, ms, attempt } = report;
  if (report.retryInMs !== null) {
    const reason = report.reason ?? report.outcome;
    log.event({ event: 'call.retry', call, attempt, delayMs: report.retryInMs, reason });
  } else if (report.changing) {
    const outcome = report.outcome === 'failed' ? 'ambiguous' : report.outcome;
    log.event({ event: 'call.sent', call, items, outcome, status: report.status ?? undefined, ms });
  }
}

/**
 * Opens a caller of any operation, with the connection of the configuration.
 *
 * @param onSecret called with each token that is read and each secret that a body holds
 */
export function openCaller({ settings, log }: App, onSecret: (secret: string) => void): Caller {
  const hide = (secret: string): void => {
    log.hide(secret);
    onSecret(secret);
  };
  return createCaller(settings.service, { clock: systemClock, onSecret: hide });
}

/** A key of the configuration at the beginning of a message. */
const KEY = /^(?:sources?|sync|lookups)\.[^\s:,]+(?=[:,])/u;

/** Returns the same problems, of this file. */
function ofFile(file: string, error: ConfigError): ConfigError {
  const [first = '', ...rest] = error.message
    .split('\n')
    .map((text) => text.replace(KEY, (key) => `line ${lineOf(file, key)}, ${key}`));
  const lines = [first, ...rest].map((line) => `  ${line}`);
  const message = rest.length === 0 ? `${file}: ${first}` : [`${file}: ${lines.length} problems`, ...lines];
  return new ConfigError(message, { cause: error });
}

/** What becomes of a read of the source. */
interface SourceUse {
  /** Whether the pictures of logos may be sent: then they are stored next to the ledger. */
  readonly sends?: boolean;
}

export function openAppSource(
  { configFile, settings, log, refusals }: Pick<App, 'configFile' | 'settings' | 'log' | 'refusals'>,
  { sends = false }: SourceUse = {},
): Source {
  const { source, lookups, sync, state } = settings;
  const onSecret = (secret: string): void => log.hide(secret);
  const pictures = sends ? state.path : null;
  try {
    const {
      protect: { where: protect },
      timezone,
    } = sync;
    const options = { pictures, lookups, protect, timezone, clock: systemClock, onSecret, refusals };
    return openSource(source, options);
  } catch (error) {
    throw error instanceof ConfigError ? ofFile(configFile, error) : error;
  }
}

function prettyOn(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Pretty {
  return { colour: wantsColour(stream, env), columns: () => columnsOf(stream) };
}
