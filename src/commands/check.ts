import { counted } from '../domain/text/counted.ts';
import { loadApp, openAppSource, type App } from '../app/app.ts';
import { openOutside } from '../app/channels.ts';
import { bindingOf, openAppLedger, requireWritable } from '../app/setup.ts';
import { forgetRefused } from '../app/refused-secrets.ts';
import { checkChannel, checkMessages } from './check/check-messages.ts';
import { checkSource } from './check/check-source.ts';
import { checkLines, exitCodeOf, failedPart, type CheckedPart, type NamedPart } from './check/words.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import { EXIT, sentenceOf } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { sourceChange } from '../domain/reading/source-identity.ts';
import type { Source } from '../domain/reading/source.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import type { Service } from '../domain/ports/service.ts';

/** A check is soon over, also if what a shared pace is kept at does not answer. */
const PATIENCE_MS = 3_000;

/** Runs `rollcall check`: tries each part for real, also after another part has failed. */
export async function checkCommand(context: CommandContext): Promise<number> {
  const app = loadApp(context, { logTo: 'stderr', patienceMs: PATIENCE_MS });
  const stop = stopOnSignals();
  const source = openAppSource(app);
  const lines = app.warnings.map((warning) => `! ${warning}`);
  const config: CheckedPart = { verdict: 'ok', head: printable(app.configFile), lines };
  const parts: NamedPart[] = [{ name: 'config', ...config }];
  for (const [name, attempt] of await trials(app, source)) {
    if (stop.signal.aborted) break;
    parts.push({ name, ...(await tried(() => attempt(stop.signal))) });
  }
  stop.release();
  await app.service.close();
  forgetRefused(app);
  if (stop.signal.aborted) return EXIT.failed;
  const exitCode = exitCodeOf(parts);
  await context.show({ data: { exitCode, parts }, lines: (paint) => checkLines(parts, paint) });
  return exitCode;
}

type Trial = readonly [name: string, attempt: (signal: AbortSignal) => Promise<CheckedPart>];

async function trials(app: App, source: Source): Promise<readonly Trial[]> {
  const { settings, service } = app;
  const { baseUrl } = settings.service;
  const messages: readonly Trial[] =
    settings.notify?.to === undefined &&
    settings.approvals === undefined &&
    settings.http?.console?.approvers === undefined
      ? []
      : [['messages', (signal) => checkMessages(app, signal)]];
  const outside = settings.notify === undefined ? [] : await openOutside(settings.notify);
  return [
    ['source', (signal) => checkSource(app, source, signal)],
    ['service', (signal) => checkService(service, baseUrl, signal)],
    ['ledger', () => tryLedger(app, source)],
    ...messages,
    ...outside.map((one): Trial => [one.name, (signal) => checkChannel(one, signal)]),
  ];
}

async function tried(attempt: () => Promise<CheckedPart>): Promise<CheckedPart> {
  try {
    return await attempt();
  } catch (error) {
    return failedPart(error, sentenceOf(error));
  }
}

/**
 * Opens the ledger as a run would, but in a copy: a check does not create a ledger that does not exist yet.
 */
async function tryLedger(app: App, { identity }: Source): Promise<CheckedPart> {
  requireWritable(app.settings.state.path);
  const ledger = openAppLedger(app, 'scratch');
  try {
    ledger.requireRoom();
    return checkLedger({ ledger, path: app.settings.state.path, binding: bindingOf(app.settings), identity });
  } finally {
    ledger.close();
  }
}

interface LedgerCheck {
  readonly ledger: Ledger;
  readonly path: string;
  /** `domainId/orgCode`; a ledger with another binding would not have opened. */
  readonly binding: string;
  /** Identity of the source, as it is configured now. */
  readonly identity: string;
}

/** Returns what the ledger knows, from which a run with this configuration would start. */
function checkLedger({ ledger, path, binding, identity }: LedgerCheck): CheckedPart {
  const lastId = ledger.fact('identity');
  const file = printable(path);
  const { managed, disabled } = ledger.people.counts();
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  if (lastId === null) return { verdict: 'ok', head: `${file}: new, no run has ended yet`, lines: [] };
  const lines = [
    `${counted(units, 'unit')} and ${counted(managed, 'person', 'people')} managed, ${disabled} disabled by us`,
  ];
  const head = `${file}: bound to ${printable(binding)}`;
  const change = sourceChange(lastId, identity);
  if (change === null) return { verdict: 'ok', head, lines: ['the source is the one it knows', ...lines] };
  const warnings = [
    `! the source changed since the last run: ${printableText(change)}`,
    '  a run plans and sends nothing until somebody approves that: rollcall plan shows the hash',
  ];
  return { verdict: 'look', head, lines: [...warnings, ...lines] };
}

/** Reads the root, and compares the clocks. */
async function checkService(service: Service, baseUrl: string, signal: AbortSignal): Promise<CheckedPart> {
  const root = await service.root(signal);
  const skew = Math.round((service.now() - Date.now()) / 1000);
  const clock =
    Math.abs(skew) < 5 ? '' : `, its clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  const head = `${printable(baseUrl)}: root "${printable(root.name)}" (${printable(root.id)})${clock}`;
  return { verdict: 'ok', head, lines: [] };
}
