import { resolve } from 'node:path';
import { loadSettings } from '../config/load-settings.ts';
import { namedFiles } from '../config/named-files.ts';
import { ConfigError } from '../domain/errors.ts';
import { problemsOf } from '../domain/problems.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Settings } from '../domain/settings.ts';
import { isThere } from '../ledger/copies/open-file.ts';
import { openLedger, type LedgerOptions } from '../ledger/open-ledger.ts';
import { systemClock, systemWatch } from '../lib/clock.ts';
import { identityOf, realPath } from '../lib/replace-file.ts';
import type { Instant } from '../runtime/health.ts';
export { statePathOf } from '../config/load-settings.ts';
export { backUp } from '../ledger/copies/open-file.ts';
export { requireWritable } from '../ledger/copies/require-room.ts';

/** Where answers and messages go, and the variables of the process. */
export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/** What is asked for at the command line. */
export interface SetupOptions extends Streams {
  readonly configFile: string;
  /** Returns a text with the commands in it as they have to be typed here. */
  readonly command: (text: string) => string;
}

/** The configuration as it is now: enough to look into the ledger. */
export interface Setup extends SetupOptions {
  readonly settings: Settings;
  /** Sentences for the log about what is allowed but not advisable. */
  readonly warnings: readonly string[];
}

export function loadSetup({ configFile, command, stdout, stderr, env }: SetupOptions): Setup {
  return { configFile, command, stdout, stderr, env, ...loadSettings(configFile, env) };
}

export function timeNow(): Instant {
  return { time: systemClock.now(), watch: systemWatch };
}

export function bindingOf({ service }: Settings): string {
  return `${service.domainId}/${service.orgCode}`;
}

/** Returns whether there is a ledger. Throws a LedgerError if this user cannot look. */
export const hasLedger = ({ settings }: Pick<Setup, 'settings'>): boolean => isThere(settings.state.path);

/** Files that rollcall lives on. */
export const placeProblem = problemsOf(ConfigError, { 'place-taken': '{path}: {what}: name another file' });

/** Throws a ConfigError for a file that rollcall lives on: nothing else is written there. */
export function requireFree(setup: Setup, path: string): void {
  const [target, state] = [realPath(path), realPath(setup.settings.state.path)];
  const isLedgers = target.startsWith(state) && /^(?:$|[-.])/u.test(target.slice(state.length));
  if (target === realPath(setup.configFile) || isLedgers)
    throw placeProblem('place-taken', { path, what: 'this is the configuration or the ledger' });
  requireUnnamed(setup, path);
}

/** Throws a ConfigError for a file that the configuration names, also if it is still to come. */
export function requireUnnamed({ configFile, env }: Pick<Setup, 'configFile' | 'env'>, path: string): void {
  const file = identityOf(path);
  if (namedFiles(configFile, env).some((one) => identityOf(one) === file))
    throw placeProblem('place-taken', { path, what: 'the configuration names this file' });
}

/** Paths of the ledgers that this process has written to. */
const KNOWN = new Set<string>();

export function openAppLedger({ settings }: Pick<Setup, 'settings'>, mode: LedgerOptions['mode']): Ledger {
  const { path } = settings.state;
  const ledger = openLedger({
    path,
    binding: bindingOf(settings),
    now: () => systemClock.now(),
    watch: systemWatch,
    mode,
    isKnown: KNOWN.has(resolve(path)),
  });
  if (mode === 'write') KNOWN.add(resolve(path));
  return ledger;
}

/** Opens the ledger for one piece of work. */
export function withAppLedger<T>(
  setup: Pick<Setup, 'settings'>,
  mode: LedgerOptions['mode'],
  work: (ledger: Ledger) => T,
): T {
  const ledger = openAppLedger(setup, mode);
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

/** Opens the ledger to be read; `null`: there is none yet. */
export const openIfThere = (setup: Setup): Ledger | null =>
  hasLedger(setup) ? openAppLedger(setup, 'read') : null;
