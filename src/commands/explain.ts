import { keysOf, schemaKeys } from '../plan/values/schema-keys.ts';
import { existsSync } from 'node:fs';
import { openAppLedger, openAppSource, type App } from '../app.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Person, Unit } from '../domain/records/records.ts';
import type { Sample } from '../domain/reading/source.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';
import { describeExplanation } from './explain/describe-explanation.ts';
import { explanationOf } from './explain/explanation.ts';
import { findingsOf } from './explain/findings.ts';
import { allPrintable } from './explain/layout.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { recordsNamed, unknownRecord, type KnownRecord } from './explain/known-record.ts';
import { inSource, lookLive } from './explain/look-live.ts';
import { standingOf, whoOf } from './explain/standing.ts';
import { unitNames } from './explain/named-units.ts';

export interface ExplainOptions {
  readonly live: boolean;
  readonly json: boolean;
}

/**
 * Runs `rollcall explain`: tells everything about one person or unit. It changes nothing and needs no lease.
 */
export async function explainCommand(
  context: Context,
  text: string,
  options: ExplainOptions,
): Promise<number> {
  const app = appOf(context, 'stderr');
  const stop = stopOnSignals();
  const ledger = existsSync(app.settings.state.path) ? openAppLedger(app, 'read') : null;
  try {
    const question: Question = { app, context, ledger, text, options, signal: stop.signal };
    return await answer(question);
  } finally {
    ledger?.close();
    await app.service.close();
    stop.release();
  }
}

interface Question {
  readonly app: App;
  readonly context: Context;
  /** `null`: there was no run yet. */
  readonly ledger: Ledger | null;
  readonly text: string;
  readonly options: ExplainOptions;
  readonly signal: AbortSignal;
}

async function answer(question: Question): Promise<number> {
  const records = await recordsOf(question);
  const [record] = records;
  if (record === undefined) throw new ConfigError(unknownSentence(question));
  if (records.length > 1) return listCandidates(question, records);
  return explain(question, record);
}

/** Finds the records in the ledger; with `--live` also in the source, where the ledger has none. */
async function recordsOf({ app, ledger, text, options, signal }: Question): Promise<readonly KnownRecord[]> {
  const known = ledger === null ? [] : recordsNamed(ledger, text);
  if (!options.live || known.some(({ id }) => id !== null)) return known;
  const samples = await inSource(app, text, signal);
  const named = samples.map((sample) => ofLedger(ledger, sample) ?? recordOf(sample, known));
  return named.length > 0 ? named : known;
}

/** Returns the record that the ledger knows under another name, or `null`. */
function ofLedger(ledger: Ledger | null, { subject, reading }: Sample): KnownRecord | null {
  const id = reading.ok ? reading.record.id : reading.refusal.id;
  if (ledger === null || id === null) return null;
  return recordsNamed(ledger, `${subject}:${id}`).find((record) => record.id === id) ?? null;
}

/**
 * Returns the record for a sample. A person whom so far only the service has, and who is in the source too,
 * is one record.
 */
function recordOf({ subject, place, reading }: Sample, known: readonly KnownRecord[]): KnownRecord {
  const id = reading.ok ? reading.record.id : reading.refusal.id;
  const label = reading.ok ? labelOf(reading.record) : (id ?? place);
  const twin = known.find((record) => record.subject === subject && record.label === label);
  return { ...unknownRecord(subject, id ?? place, label), seen: twin?.seen ?? null };
}

function labelOf(record: Unit | Person): string {
  if ('username' in record) return record.username;
  const { name } = record.fields;
  return typeof name === 'string' ? name : record.id;
}

function unknownSentence({ ledger, text, options, app }: Question): string {
  const how = 'A person is named by username or source id, a unit by source id, name or serial number';
  const none = ledger === null ? `no run has been recorded yet in ${app.settings.state.path}, and ` : '';
  const shown = printable(text);
  return options.live
    ? `explain: ${none}"${shown}" is not in the source either. ${how}: check the spelling`
    : `explain: ${none}"${shown}" is not known. ${how}: check the spelling, or look in the source with --live`;
}

interface Candidate extends Pick<KnownRecord, 'subject' | 'id' | 'label' | 'state'> {
  readonly serviceId: string | null;
}

function listCandidates(
  { context, ledger, text, options }: Question,
  records: readonly KnownRecord[],
): number {
  const names = unitNames(ledger);
  const candidates = records.map(({ subject, id, label, state, seen }): Candidate => ({
    subject,
    id,
    label: subject === 'unit' && state !== null ? names.unit(id) : label,
    state,
    serviceId: seen?.id ?? null,
  }));
  if (options.json) context.out(`${JSON.stringify({ candidates }, null, 2)}\n`);
  else {
    const title = `"${printable(text)}" names ${records.length} records; ask for one of them:`;
    context.screen.print([title, ...candidates.map((each) => candidateLine(each))]);
  }
  return EXIT.usage;
}

function candidateLine({ subject, id, label, state, serviceId }: Candidate): string {
  const ask = id === null ? `(not managed, ${serviceId})` : `rollcall explain '${subject}:${printable(id)}'`;
  const also = state === null || state === 'managed' ? '' : `, ${state}`;
  return `  ${ask.padEnd(36)}  ${printableText(label)}${also}`;
}

async function explain(
  { app, context, ledger, options, signal }: Question,
  record: KnownRecord,
): Promise<number> {
  const live = options.live ? await lookLive(app, record, signal) : null;
  const { rules } = openAppSource(app);
  const names = unitNames(ledger, live?.places);
  const findings = findingsOf(ledger, record);
  const keys = schemaKeys(keysOf(rules.person), ledger?.fact('schemaIds') ?? {});
  const explanation = explanationOf({ record, findings, live, rules, names, keys });
  const { sync } = app.settings;
  if (options.json) {
    const standing = `${whoOf(explanation)}: ${standingOf(explanation, sync).sentence}`;
    context.out(`${JSON.stringify({ standing, ...explanation }, null, 2)}\n`);
  } else {
    const { print, paint } = context.screen;
    print(describeExplanation(allPrintable(explanation), { sync, paint }));
  }
  return live !== null && live.problems.length > 0 ? EXIT.failed : EXIT.done;
}
