import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { orFullRead } from '../../domain/errors.ts';
import type { KnownRecords } from '../../domain/ports/source-records.ts';
import { fullRead } from '../../domain/full-reads.ts';
import type { FullReadNeeded, Increment, RecordKey } from '../../domain/reading/increment.ts';
import { printable } from '../../domain/text/printable.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { Run } from '../state/world.ts';
import type { NotedRead, RecordNotes } from './record-notes.ts';
import type { PersonStager } from './person-stager.ts';
import type { Recognizer } from './recognizer.ts';
import { stageAll } from './stage-all.ts';

/** An increment that can be read. */
export interface Started {
  readonly increment: Increment;
  readonly known: KnownRecords;
  /** Records that were asked for again. */
  readonly again: readonly RecordKey[];
  readonly notes: RecordNotes;
}

/** So many records may have to be read again by their keys; of many, this share. */
const AGAIN_COUNT = 1_000;
const AGAIN_SHARE = 0.02;

/** Returns at most how many records are read by their keys. */
const mostAgain = (records: number): number => Math.max(AGAIN_COUNT, Math.floor(records * AGAIN_SHARE));

/**
 * Asks for what changed since the last read, or returns why everything has to be read.
 *
 * @param recognizer `undefined`: no person can be recognized
 */
export async function startIncrement(
  run: Run,
  notedRead: NotedRead,
  recognizer: Recognizer | undefined,
): Promise<Started | FullReadNeeded> {
  if (notedRead.why !== null) return { why: notedRead.why };
  if (notedRead.source === null || recognizer === undefined) return fullRead('full-besides', {});
  const { salt, basis } = recognizer;
  const { ledger } = run;
  const { incremental, mark, notes } = notedRead.source;
  const fact = ledger.fact('increments');
  const known = fact?.known ?? null;
  if (known === null) return { why: fact?.why ?? fullRead('full-first', {}).why };
  const why = otherSince(run, mark.how, known, basis);
  if (why !== null) return why;
  const most = mostAgain(known.records);
  const again = ledger.staging.again(most + 1);
  if (again.length > most)
    return fullRead('full-many', { most, what: 'records would have to be read one by one' });
  const increment = await incremental.increment({ since: known.mark, again, salt });
  return 'why' in increment ? increment : { increment, known, again, notes };
}

/** Returns what is no longer as it was at the last read. */
function otherSince(run: Run, how: string, known: KnownRecords, basis: string): FullReadNeeded | null {
  if (known.identity !== run.source.identity) return fullRead('full-source', {});
  if (known.mark.how !== how) return fullRead('full-way', {});
  if (known.basis !== basis) return fullRead('full-settings', {});
  const isFuture = known.fullAt > run.clock.now();
  if (isFuture || run.owesFullSource?.(known.fullAt) === true) return fullRead('full-due', {});
  return null;
}

/** What an increment has added to what is known. */
export interface Added {
  /** Records of people in scope, all of them. */
  readonly inScope: number;
  /** All records, also of those out of scope. */
  readonly records: number;
}

/**
 * Stages what changed, and then all people whose record is unchanged. From then on, everything is as after a
 * full read. A person is gone if the source reports it, or if the source's complete list lacks the record. If
 * the increment is not enough, returns why.
 */
export async function readIncrement(
  run: Run,
  stager: PersonStager,
  started: Started,
): Promise<Added | FullReadNeeded> {
  return orFullRead(async () => {
    const changed = await stageAll(run, stager, started.increment.records());
    const listed = await readList(run, stager, started);
    if ('why' in listed) return listed;
    const why = unclear(run, started, [...started.again, ...listed.asked]);
    return why ?? addStanding(run.ledger, stager, started.notes, changed + listed.staged);
  });
}

/** What the list of all keys has brought: people who were staged because of it, and the keys that were asked for. */
interface Listed {
  readonly staged: number;
  readonly asked: readonly RecordKey[];
}

/** Reads the list of all records, if the source has one, and those of them that no change names. */
async function readList(
  run: Run,
  stager: PersonStager,
  { increment, known }: Started,
): Promise<Listed | FullReadNeeded> {
  const { staging } = run.ledger;
  const list = increment.present();
  if (list === null) {
    for (const key of increment.gone()) staging.note({ is: 'gone', key });
    return { staged: 0, asked: [] };
  }
  for await (const keys of list) {
    checkpoint(run.stop);
    run.ledger.transaction(() => {
      for (const key of keys) staging.note({ is: 'present', key });
    });
  }
  const most = mostAgain(known.records);
  const asked = staging.unread(most + 1);
  if (asked.length > most)
    return fullRead('full-many', { most, what: 'records are in the list that no change names' });
  return { staged: asked.length === 0 ? 0 : await stageAll(run, stager, increment.more(asked)), asked };
}

/** Returns what does not fit together. */
function unclear({ ledger }: Run, { notes }: Started, asked: readonly RecordKey[]): FullReadNeeded | null {
  if (notes.keyless > 0) return fullRead('full-keyless', { count: notes.keyless });
  const { shared, listedTwice, contradiction, missing } = ledger.staging.misfits(asked);
  if (listedTwice !== null) return fullRead('full-twice', { key: printable(listedTwice) });
  if (contradiction !== null) return fullRead('full-both', { key: contradiction });
  if (shared !== null) return fullRead('full-shared', { key: shared });
  return missing === 0 ? null : fullRead('full-lost', { count: missing });
}

/** Marks the people whose record is unchanged as seen, and stages what the other unchanged records come to. */
function addStanding(ledger: Ledger, stager: PersonStager, notes: RecordNotes, changed: number): Added {
  return ledger.transaction(() => {
    const standing = ledger.staging.standing();
    let [records, inScope] = [notes.count + standing.seen, changed + standing.seen];
    for (const { print, replay } of standing.replays) {
      records += 1;
      if (stager.replay(replay, print)) inScope += 1;
    }
    return { records, inScope };
  });
}
