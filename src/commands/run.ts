import { commandProblem } from './problems.ts';
import path from 'node:path';
import { loadApp, openAppSource, type App } from '../app/app.ts';
import { bindingOf, openAppLedger, timeNow, withAppLedger } from '../app/setup.ts';
import { runId, runLeased } from '../app/runs.ts';
import { EXIT } from '../domain/errors.ts';
import { Heart, heartbeatFile } from '../runtime/health.ts';
import { runDaemon } from '../runtime/daemon.ts';
import type { ScheduleSettings } from '../runtime/schedule.ts';
import { onSignals } from '../runtime/signals.ts';
import { endLog } from '../runtime/logger.ts';
import { AskedRuns } from './asked-runs.ts';
import type { Web } from './web.ts';
import type { Observer } from '../domain/events.ts';
import type { CommandContext } from './context.ts';

/** Seconds that the daemon waits while another process runs by hand. */
const WAIT_SECONDS = 3_600;
/**
 * Milliseconds for the log to be read. A container is killed 30 s after the signal to stop, and calls in
 * flight may take 25 s.
 */
const LOG_READ_MS = 2_000;

/** Runs `rollcall run`: the daemon, until SIGTERM. */
export async function runCommand(context: CommandContext): Promise<never> {
  // Until the daemon handles them, they ask for nothing that is not done anyway, and would end the process.
  onSignals(process, { SIGHUP: () => undefined, SIGUSR2: () => undefined });
  const observers: Observer[] = [];
  const observer = observedBy(observers);
  const configuration = new Configuration(() => loadApp(context, { logTo: 'stdout', observer }));
  const { app: first } = configuration;
  let steps = 0;
  const onStep = (): void => void (steps += 1);
  openAppLedger(first, 'write').close();
  const heart = new Heart(heartbeatFile(first.settings.state.path));
  const opened: Web[] = [];
  const askedRuns = new AskedRuns(() => configuration.app);
  await runDaemon({
    settings: first.settings.sync,
    log: first.log,
    lastFullRun: () => lastFullRun(configuration.app),
    steps: () => steps + configuration.running.service.stats().requests,
    open: async () => {
      if (first.settings.http !== undefined)
        opened.push(await openWeb(() => configuration.app, askedRuns, observers));
    },
    connect: ({ afterReply, ifIdle }) => {
      askedRuns.connect(ifIdle);
      opened.forEach((web) => web.connect(afterReply));
    },
    beat: (reloadRefused) => {
      heart.beat(timeNow(), { mode: configuration.app.settings.sync.mode, reloadRefused });
      // What other processes have done meanwhile.
      opened[0]?.follow();
    },
    reload: () => configuration.reload(),
    runOnce: ({ full, trigger, asked, signal, quit }) => {
      const id = asked?.id ?? runId(timeNow().time);
      return askedRuns.follow(id, async () => {
        const app = await configuration.begin();
        const reportOnly = app.settings.sync.mode === 'report';
        const only = await asked?.find?.(signal);
        const request = { id, full, trigger, approve: [], dryRun: false, reportOnly, only };
        const options = { stop: signal, quit, onStep, waitSeconds: WAIT_SECONDS };
        return runLeased(app, request, options).finally(() => opened[0]?.refresh());
      });
    },
  });
  for (const web of opened) await web.close();
  await configuration.close();
  await endLog(LOG_READ_MS);
  heart.stop(timeNow());
  // Calls that did not end in time would keep the process.
  process.exit(EXIT.done);
}

/** The configuration as it is now, and those that it has replaced. */
class Configuration {
  app: App;
  /** As the last run began. */
  running: App;
  readonly #read: () => App;
  /** The run that works may still use the last one. */
  readonly #replaced: App[] = [];

  constructor(read: () => App) {
    this.#read = read;
    this.app = this.#load();
    this.running = this.app;
  }

  /** Throws a ConfigError if the file cannot be used: then everything stays as it was. */
  reload(): ScheduleSettings {
    const next = this.#load();
    requireSameBinding(this.app, next);
    this.#replaced.push(this.app);
    this.app = next;
    return next.settings.sync;
  }

  /** Returns what a run begins with. */
  async begin(): Promise<App> {
    this.running = this.app;
    await closeServices(this.#replaced);
    return this.running;
  }

  close(): Promise<void> {
    return closeServices([...this.#replaced, this.app]);
  }

  #load(): App {
    const loaded = this.#read();
    // Only the source finds mistakes in its rules.
    openAppSource(loaded);
    return loaded;
  }
}

/** Closes the connections to the service, and forgets whose they were. */
async function closeServices(apps: App[]): Promise<void> {
  await Promise.all(apps.splice(0).map(({ service }) => service.close()));
}

/** Loads the listener, which takes a while, only where it is wanted. */
async function openWeb(app: () => App, askedRuns: AskedRuns, observers: Observer[]): Promise<Web> {
  const { Web: Opened } = await import('./web.ts');
  const web = new Opened(app, askedRuns);
  observers.push(web);
  await web.open();
  return web;
}

function observedBy(observers: readonly Observer[]): Observer {
  return {
    event: (event) => observers.forEach((observer) => observer.event(event)),
    call: (call) => observers.forEach((observer) => observer.call(call)),
    notifyFailed: (channel) => observers.forEach((observer) => observer.notifyFailed(channel)),
  };
}

/**
 * Throws where the configuration names another organization, ledger or address: a daemon works on one organization with
 * one ledger, and listens at one address.
 */
function requireSameBinding({ configFile, settings }: App, next: App): void {
  if (bindingOf(settings) !== bindingOf(next.settings)) {
    const [now, other] = [bindingOf(settings), bindingOf(next.settings)];
    throw commandProblem('reload-other-organization', { file: configFile, next: other, now });
  }
  if (path.resolve(settings.state.path) !== path.resolve(next.settings.state.path)) {
    const [now, other] = [settings.state.path, next.settings.state.path];
    throw commandProblem('reload-other-ledger', { file: configFile, next: other, now });
  }
  for (const [key, old, changed] of [
    ['http', JSON.stringify(settings.http), JSON.stringify(next.settings.http)],
    ['approvals', settings.approvals === undefined, next.settings.approvals === undefined],
  ] as const)
    if (old !== changed) throw commandProblem('reload-other-address', { file: configFile, key });
}

function lastFullRun(app: App): number | null {
  return withAppLedger(app, 'write', (ledger) => ledger.fact('lastFull'));
}
