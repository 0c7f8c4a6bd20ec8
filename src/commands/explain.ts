import { commandProblem } from './problems.ts';
import { loadApp, openAppSource, type App } from '../app/app.ts';
import { openIfThere } from '../app/setup.ts';
import { EXIT, type ConfigError } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Sample } from '../domain/reading/source.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { shellQuoted, shellWord } from '../domain/text/shell.ts';
import { unitName } from '../plan/units/tree.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import { describeExplanation, standingOf, headOf } from '../report/describe-explanation.ts';
import { explanationOf } from '../report/explanation.ts';
import { findingsOf, recordsCalled, recordsNamed, unitNames, unmanaged } from '../report/known-record.ts';
import type { KnownRecord } from '../report/known-record.ts';
import { inSource, readLive } from './explain/look-live.ts';

interface ExplainOptions {
  readonly live: boolean;
}

/**
 * Runs `rollcall explain`: shows everything about one person or unit. It changes nothing and needs no lease.
 */
export async function explainCommand(
  context: CommandContext,
  text: string,
  options: ExplainOptions,
): Promise<number> {
  const app = loadApp(context, { logTo: 'stderr' });
  const stop = stopOnSignals();
  const ledger = openIfThere(app);
  try {
    return await answer({ app, context, ledger, text, options, signal: stop.signal });
  } finally {
    ledger?.close();
    await app.service.close();
    stop.release();
  }
}

interface Question {
  readonly app: App;
  readonly context: CommandContext;
  /** `null`: there was no run yet. */
  readonly ledger: Ledger | null;
  readonly text: string;
  readonly options: ExplainOptions;
  readonly signal: AbortSignal;
}

async function answer(question: Question): Promise<number> {
  const records = await recordsOf(question);
  const [record] = records;
  if (record === undefined) throw unknownRecord(question);
  if (records.length > 1) return listCandidates(question, records);
  return explain(question, record);
}

/** Finds the records in the ledger; with `--live` also in the source, where the ledger has none. */
async function recordsOf({ app, ledger, text, options, signal }: Question): Promise<readonly KnownRecord[]> {
  const fromLedger = ledger === null ? [] : recordsCalled(ledger, text);
  if (!options.live || fromLedger.some(({ id }) => id !== null)) return fromLedger;
  const samples = await inSource(app, text, signal);
  return samples.length > 0 ? samples.map((sample) => recordOf(sample, ledger)) : fromLedger;
}

/** Returns the record of a sample; the ledger may know it under another name. */
function recordOf({ subject, place, reading }: Sample, ledger: Ledger | null): KnownRecord {
  const id = reading.ok ? reading.record.id : (reading.refusal.id ?? place);
  const [fromLedger] = ledger === null ? [] : recordsNamed(ledger, `${subject}:${id}`);
  if (fromLedger !== undefined) return fromLedger;
  if (!reading.ok) return unmanaged(ledger, { subject, id, label: id });
  const { record } = reading;
  const label = 'username' in record ? record.username : unitName(record);
  return unmanaged(ledger, { subject, id, label: label || id });
}

function unknownRecord({ ledger, text, options, app }: Question): ConfigError {
  const noRun = ledger === null ? `no run has been recorded yet in ${app.settings.state.path}, and ` : '';
  const where = options.live
    ? 'is not in the source either'
    : 'is neither managed nor noted by the last run: it may be new, out of scope, or inactive and never created';
  const what = `${noRun}"${printable(text)}" ${where}`;
  const how = options.live
    ? ': check the spelling'
    : `. Ask the source with: rollcall explain ${shellWord(text)} --live`;
  return commandProblem('record-unknown', { verb: 'explain', what, how });
}

async function listCandidates(
  { context, ledger, text }: Question,
  records: readonly KnownRecord[],
): Promise<number> {
  const { labels } = unitNames(ledger);
  const candidates = records.map(({ subject, id, label, state, seen }) => {
    const name = subject === 'unit' && id !== null ? (labels.get(id) ?? label) : label;
    return { subject, id, label: name, state, serviceId: seen?.id ?? null };
  });
  const lines = candidates.map(({ subject, id, label, state, serviceId }) => {
    const command =
      id === null ? `(not managed, ${serviceId})` : `rollcall explain ${shellQuoted(`${subject}:${id}`)}`;
    const also = state === null || state === 'managed' ? '' : `, ${state}`;
    return `  ${command.padEnd(36)}  ${printableText(label)}${also}`;
  });
  const title = `"${printable(text)}" names ${records.length} records; ask for one of them:`;
  await context.show({ data: { candidates }, lines: () => [title, ...lines] });
  return EXIT.usage;
}

async function explain(
  { app, context, ledger, options, signal }: Question,
  named: KnownRecord,
): Promise<number> {
  const { sync } = app.settings;
  const live = options.live ? await readLive(app, named, signal) : null;
  const { rules } = openAppSource(app);
  const before = { record: named, findings: findingsOf(ledger, named), names: unitNames(ledger) };
  const explanation = explanationOf({ ...before, ...live?.planned, live, rules, zone: sync.timezone });
  const standing = `${headOf(explanation)}: ${standingOf(explanation, sync)}`;
  await context.show({
    data: { standing, ...explanation },
    lines: (paint) => describeExplanation(explanation, sync, paint),
  });
  return live !== null && live.problems.length > 0 ? EXIT.failed : EXIT.done;
}
