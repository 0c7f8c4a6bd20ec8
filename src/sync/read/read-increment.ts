import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { orFullRead } from '../../domain/errors.ts';
import type { KnownRecords } from '../../domain/ports/source-records.ts';
import type { FullReadNeeded, Increment, RecordKey } from '../../domain/reading/increment.ts';
import { printable } from '../../domain/text/printable.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { Run } from '../state/world.ts';
import { describeKeyless, describeShared, type NotedRead, type RecordNotes } from './record-notes.ts';
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

const BESIDES =
  'what becomes of people does not depend on their records and the units alone: on the time, on attributes that the ' +
  'source does not know, or on rows of positions that belong to no person';

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
  if (notedRead.source === null || recognizer === undefined) return { why: BESIDES };
  const { salt, basis } = recognizer;
  const { ledger } = run;
  const { incremental, mark, notes } = notedRead.source;
  const fact = ledger.fact('increments');
  const known = fact?.known ?? null;
  if (known === null) return { why: fact?.why ?? 'no read has ended yet to which anything could be added' };
  const why = otherSince(run, mark.how, known, basis);
  if (why !== null) return { why };
  const most = mostAgain(known.records);
  const again = ledger.staging.again(most + 1);
  if (again.length > most) return { why: `more than ${most} records would have to be read one by one` };
  const increment = await incremental.increment({ since: known.mark, again, salt });
  return 'why' in increment ? increment : { increment, known, again, notes };
}

/** Returns what is no longer as it was at the last read. */
function otherSince(run: Run, how: string, known: KnownRecords, basis: string): string | null {
  if (known.identity !== run.source.identity) return 'the source is another one';
  if (known.mark.how !== how) return 'changes are found in another way';
  if (known.basis !== basis)
    return 'the tree of units, rows of positions, the mapping or a setting has changed';
  const isFuture = known.fullAt > run.clock.now();
  if (isFuture || run.owesFullSource?.(known.fullAt) === true) return 'it is time for one (sync.fullCron)';
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
    return why === null ? addStanding(run.ledger, stager, started.notes, changed + listed.staged) : { why };
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
    return { why: `the list of all records has more than ${most} that no change names` };
  return { staged: asked.length === 0 ? 0 : await stageAll(run, stager, increment.more(asked)), asked };
}

const describeListedTwice = (key: RecordKey): string =>
  `the list of all keys has ${printable(key)} twice: source.people.changes.ids of a database has to select each once`;

/** Returns what does not fit together. */
function unclear({ ledger }: Run, { notes }: Started, asked: readonly RecordKey[]): string | null {
  if (notes.keyless > 0) return describeKeyless(notes.keyless);
  const { shared, listedTwice, contradiction, missing } = ledger.staging.misfits(asked);
  if (listedTwice !== null) return describeListedTwice(listedTwice);
  if (contradiction !== null) return `the record ${contradiction} is both changed and gone`;
  if (shared !== null) return describeShared(shared);
  return missing === 0 ? null : `${missing} records were asked for by their keys and did not come`;
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
