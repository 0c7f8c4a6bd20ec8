import type { SyncSettings } from '../../domain/settings.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { SourceError } from '../../domain/errors.ts';
import type { StagedCounts } from '../../domain/ports/ledger/source-stage.ts';
import type { EventFields, Log } from '../../domain/events.ts';
import type { FullReadNeeded } from '../../domain/reading/increment.ts';
import { describeEmptied, emptiedSince, followedBefore } from '../../domain/reading/source-part.ts';
import {
  describeUnknown,
  type Source,
  type SourceEvidence,
  type SourceRead as OpenRead,
} from '../../domain/reading/source.ts';
import type { Decisive } from '../../domain/records/records.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { digest } from '../../lib/digest.ts';
import { inSteps } from '../../lib/in-steps.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { PersonStager, type PlacesRead } from './person-stager.ts';
import { followPlaces } from './places/follow-places.ts';
import { readPositions } from './places/read-positions.ts';
import { readUnits } from './places/read-units.ts';
import { readNotedPeople, type PeopleRead } from './read-noted-people.ts';
import { beginIncrements, type NotedRead } from './record-notes.ts';
import { keepMarks, requireAhead, requireShare } from './require-share.ts';
import { stageAll } from './stage-all.ts';
import type { Run } from '../state/world.ts';
import { readProblem } from '../../domain/run-problems.ts';

/** The source as this run read it, without the people: they are staged. */
export interface SourceRead {
  readonly tree: UnitTree;
  /** What units have of the names that decide about them, by source id. */
  readonly unitsHave: ReadonlyMap<string, Decisive>;
  readonly evidence: SourceEvidence;
}

/**
 * Reads the source to its end. Units stay in memory. People are read one by one: those whose hash the ledger
 * holds are only marked as seen, the others are staged. Throws a SourceError if the read is not, or cannot
 * be, complete (promise 1). If the source changed during the read, it is read a second time first.
 */
export async function readSource(run: Run): Promise<SourceRead> {
  const again = async (reason?: string): Promise<SourceRead | FullReadNeeded> => {
    run.logos.end();
    run.ledger.staging.begin();
    return readOnce(run, reason);
  };
  const read = await readTwice(run.log, readOnce(run), again);
  if ('tree' in read) return read;
  const whole = await readTwice(run.log, again(read.why), () => again(read.why));
  if ('tree' in whole) return whole;
  throw new Error(`a full read asked for another one: ${whole.why}`);
}

/** Returns the read, or the next one if the source changed during the read. */
async function readTwice<T>(log: Log, first: Promise<T>, again: () => Promise<T>): Promise<T> {
  try {
    return await first;
  } catch (error) {
    if (!(error instanceof SourceError) || !error.isPassing) throw error;
    log.note('warn', 'the source changed while it was read: it is read again', { reason: error.message });
    return again();
  }
}

/** Returns what was read or, if what changed is not enough, why everything has to be read. */
async function readOnce(run: Run, partialReason?: string): Promise<SourceRead | FullReadNeeded> {
  const started = performance.now();
  const { staging } = run.ledger;
  const read = await run.source.open(run.stop);
  run.logos.take(read.pictures);
  try {
    const marks = await requireAhead(run, read);
    const notedRead = await beginIncrements(run, read, partialReason);
    const units = await readUnits(run, read);
    const { tree, rows } = await readPositions(run.stop, run.ledger, read, units.tree);
    const places = { tree, rows, places: await followPlaces(run, tree), notes: notedRead?.source?.notes };
    const people = await readPeople(run, read, places, notedRead);
    if ('why' in people) return people;
    read.requireSettled?.();
    const counts = await inSteps(staging.finish());
    const evidence = withPeopleNotes(people.noted?.whole(read.evidence()) ?? read.evidence(), people);
    requireAll(run.source, run.ledger, tree, {
      people: people.inScope,
      positions: counts.positions,
      evidence,
    });
    requireShare(run, evidence);
    const emptied = keepFollowed(run, evidence);
    keepMarks(run.ledger, run.source, marks);
    await keepRead(run.ledger, run.sync, people, emptied);
    reportRead(run.log, { evidence, tree, people, counts, ms: Math.round(performance.now() - started) });
    return { tree, unitsHave: units.has, evidence };
  } finally {
    await read.close();
  }
}

/**
 * Remembers the nested groups. If one of them is no longer found, its members still count as members. If a
 * group that had members shows none, people who are missing since then may only be hidden. Returns these
 * groups; `null`: there is none.
 */
function keepFollowed(
  { ledger, source: { identity }, log }: Run,
  { followed: groups = [] }: SourceEvidence,
): string | null {
  const [before, now] = [ledger.fact('followed'), { identity, groups }];
  const emptied = emptiedSince(followedBefore(before, identity), groups);
  const names = emptied.length === 0 ? null : listSome(emptied.map((dn) => printable(dn)));
  if (names !== null) log.note('warn', 'the source: what to look at', { warning: describeEmptied(names) });
  const isNew = before === null ? groups.length > 0 : JSON.stringify(before) !== JSON.stringify(now);
  if (isNew) ledger.setFacts({ followed: now });
  return names;
}

/** Stores what the next read recognizes people by, and who is protected. */
async function keepRead(
  ledger: Ledger,
  sync: SyncSettings,
  { noted }: PeopleRead,
  emptied: string | null,
): Promise<void> {
  const { where } = sync.protect;
  const protectRule = where === undefined ? null : digest(where);
  await inSteps(ledger.staging.keep({ protectRule, emptied, increments: noted?.keep() }));
}

/** People as they were read. */
interface PlacedPeople extends PeopleRead {
  readonly notes: readonly string[];
}

/** Returns the people or, if what changed is not enough to know them, why. */
async function readPeople(
  run: Run,
  read: OpenRead,
  places: PlacesRead,
  notedRead: NotedRead | null,
): Promise<PlacedPeople | FullReadNeeded> {
  const stager = new PersonStager(run, places, read.evidence());
  run.progress.start('read', null);
  const people = await (notedRead === null
    ? readAll(run, read, stager)
    : readNotedPeople(run, read, stager, notedRead));
  return 'why' in people ? people : { ...people, notes: stager.notes };
}

async function readAll(run: Run, read: OpenRead, stager: PersonStager): Promise<PeopleRead> {
  const staged = await stageAll(run, stager, read.people(stager.recognizer));
  return { inScope: staged + (stager.recognizer?.count ?? 0) };
}

interface ReadCounts {
  readonly people: number;
  readonly positions: number;
  readonly evidence: SourceEvidence;
}

/** Returns what may be wrong if nothing of a part is in scope: its condition or its ids, if records were read. */
function lookAt(source: Source, { parts, unknown }: SourceEvidence, part: 'units' | 'people'): string {
  const names = unknown.filter((one) => one.part === part).map((one) => describeUnknown(one));
  if (names.length > 0) return `the fields that the source does not know: ${listSome(names)}`;
  const read = parts.reduce((sum, one) => sum + (one.part === part ? one.records : 0), 0);
  if (read === 0) return source.remedies?.lookAt ?? `source.${part}`;
  return `source.${part}.where and its fields: ${read.toLocaleString('en')} records were read, and none of them is in scope`;
}

/** Returns what may be wrong if no row of positions has a known person, with one that is nearly known. */
function lookAtRows(ledger: Ledger, source: Source): string {
  for (const { subject, field, reason } of ledger.staging.bad().refusals)
    if (subject === 'position' && field === 'person') return `source.positions: ${reason}`;
  return source.remedies?.lookAt ?? 'source.positions';
}

/**
 * Throws a SourceError if there are no units, people or positions though there were some before: the read has
 * failed, rather than the company ended.
 */
function requireAll(
  source: Source,
  ledger: Ledger,
  tree: UnitTree,
  { people, positions, evidence }: ReadCounts,
): void {
  const managed = ledger.people.counts().managed;
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  const missing = [
    units > 0 && tree.nodes.size + tree.problems.size === 0
      ? { what: `no unit (rollcall manages ${units})`, check: lookAt(source, evidence, 'units') }
      : null,
    managed > 0 && people === 0
      ? { what: `no person (rollcall manages ${managed})`, check: lookAt(source, evidence, 'people') }
      : null,
    managed > 0 && source.hasPositions && positions === 0
      ? { what: 'no row of source.positions whose person is known', check: lookAtRows(ledger, source) }
      : null,
  ].filter((one) => one !== null);
  if (missing.length === 0) return;
  throw readProblem('read-lost-all', {
    what: missing.map(({ what }) => what).join(' and '),
    check: [...new Set(missing.map(({ check }) => check))].join('; '),
  });
}

/** Returns the evidence with the notes about people. */
function withPeopleNotes(evidence: SourceEvidence, people: PlacedPeople): SourceEvidence {
  const notes = [...(evidence.notes ?? []), ...people.notes];
  return notes.length === 0 ? evidence : { ...evidence, notes };
}

interface ReadReport {
  readonly evidence: SourceEvidence;
  readonly tree: UnitTree;
  readonly people: PlacedPeople;
  readonly counts: StagedCounts;
  readonly ms: number;
}

function reportRead(log: Log, { evidence, tree, people, counts, ms }: ReadReport): void {
  const { refused, positions } = counts;
  const { snapshot, parts, notes } = evidence;
  const units = tree.nodes.size + tree.problems.size;
  noteUnknown(log, evidence.unknown);
  for (const warning of evidence.warnings ?? []) log.note('warn', 'the source: what to look at', { warning });
  log.event({
    event: 'source.read',
    ...readingOf(people),
    units,
    people: people.inScope,
    positions,
    refused,
    snapshot,
    parts,
    ms,
    ...(notes !== undefined && { notes }),
  });
}

/** Returns how people were read, if increments are wanted. */
function readingOf({ noted }: PeopleRead): Pick<EventFields['source.read'], 'read' | 'how'> {
  if (noted === undefined) return {};
  return noted.how === null ? { read: 'full' } : { read: 'incremental', how: noted.how };
}

/**
 * Logs attributes that the directory does not know. Fields that read one of them stay as they were sent, and the run
 * ends as one that left something undone.
 */
function noteUnknown(log: Log, unknown: SourceEvidence['unknown']): void {
  if (unknown.length === 0) return;
  const attributes = unknown.map((each) => describeUnknown(each));
  log.note('warn', 'the source does not know attributes of the configuration', { attributes });
}
