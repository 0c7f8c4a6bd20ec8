import type { FullReadNeeded, RecordKey } from '../../domain/reading/increment.ts';
import { orFullRead } from '../../domain/or-full-read.ts';
import { printable } from '../../domain/text/printable.ts';
import { AsBefore } from './as-before.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { Run } from '../state/world.ts';
import type { PersonStager } from './person-stager.ts';
import { stageAll } from './stage-all.ts';
import { describeKeyless } from './record-notes.ts';
import { mostAgain, type Started } from './start-increment.ts';

/** What an increment has added to what is known. */
export interface Added {
  /** Records of people in scope, all of them. */
  readonly inScope: number;
  /** All records, also of those out of scope. */
  readonly records: number;
  /** Records that were read, and are what they were at the last read. */
  readonly asBefore: number;
}

/**
 * Stages what changed, and then everybody whose record stays as it was: from there on all is as after a full read. Who is
 * gone is told by the source, or missing in its whole list. Returns why that is not enough, where it is not.
 */
export async function readIncrement(
  run: Run,
  stager: PersonStager,
  started: Started,
): Promise<Added | FullReadNeeded> {
  return orFullRead(() => readChanges(run, stager, started));
}

async function readChanges(
  run: Run,
  stager: PersonStager,
  started: Started,
): Promise<Added | FullReadNeeded> {
  const { increment } = started;
  const watch = new AsBefore(run);
  const changed = await stageAll(run, stager, watch.over(increment.records()));
  const more = await readList(run, stager, started);
  if (typeof more !== 'number') return more;
  const why = unclear(run, started);
  if (why !== null) return { why };
  return { ...addStanding(run, stager, changed + more), asBefore: watch.count };
}

/** Reads the list of all records, where the source has one; returns how many more people were staged because of it. */
async function readList(
  run: Run,
  stager: PersonStager,
  { increment }: Started,
): Promise<number | FullReadNeeded> {
  const { records } = run.ledger;
  const list = increment.present();
  if (list === null) {
    records.gone(increment.gone());
    return 0;
  }
  for await (const keys of list) {
    checkpoint(run.stop);
    const twice = records.present(keys);
    if (twice !== null) return { why: describeListedTwice(twice) };
  }
  records.absentAreGone();
  const most = mostAgain(records.count());
  const unread = records.unread(most + 1);
  if (unread.length > most)
    return { why: `the list of all records has more than ${most} that nothing told of` };
  if (unread.length === 0) return 0;
  const staged = await stageAll(run, stager, increment.more(unread));
  const left = records.missing(unread);
  return left === 0 ? staged : { why: `${left} records of the list of all records are not among the people` };
}

const describeListedTwice = (key: RecordKey): string =>
  `the list of all keys has ${printable(key)} twice: source.people.changes.ids of a database has to select each once`;

/** Returns what does not fit together. */
function unclear({ ledger: { records } }: Run, { again, keyless }: Started): string | null {
  if (keyless() > 0) return describeKeyless(keyless());
  const both = records.contradiction();
  if (both !== null) return `the record ${both} is told to have changed and to be gone`;
  const shared = records.shared();
  if (shared !== null) return `several records have the key ${shared}`;
  const missing = records.missing(again);
  return missing === 0 ? null : `${missing} records were asked for by their keys and did not come`;
}

/** Marks everybody as seen whose record stays, and stages what the other records come to that stay. */
function addStanding(run: Run, stager: PersonStager, changed: number): Omit<Added, 'asBefore'> {
  const { ledger } = run;
  return ledger.transaction(() => {
    let [records, inScope] = [ledger.records.noted(), changed];
    for (const { print, replay } of ledger.records.replays()) {
      records += 1;
      if (stager.replay(replay, print)) inScope += 1;
    }
    const standing = ledger.records.markStanding();
    return { records: records + standing, inScope: inScope + standing };
  });
}
