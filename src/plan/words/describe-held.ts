import { counted } from '../../domain/text/counted.ts';
import { emptiedIn, isOthersBucket, partIn, STRANGERS } from '../../domain/buckets.ts';
import type { Change, Held } from '../../domain/changes.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { plainName, type CountedDoubt } from '../../domain/records/records.ts';
import { GUARDS, type Guard } from '../../domain/guards.ts';
import type { Tripped } from '../changes/guards.ts';
import { wordsOf } from '../changes/kinds.ts';
import { listSome, printable, printableText } from '../../domain/text/printable.ts';
import { say } from '../../domain/words/say.ts';

/** Returns what stands behind a listed change that does not go on: which hashes release it; empty for one that does. */
export function heldNote({ isHeld, hashes }: Pick<SequencedChange, 'isHeld' | 'hashes'>): string {
  if (isHeld) return `   HELD${hashes.length === 0 ? '' : `: ${hashes.join(' and ')}`}`;
  return hashes.length === 0 ? '' : `   WAITS for ${hashes.join(' and ')}`;
}

/** Returns what is held of a record, and what releases it. */
export function heldSentence(change: Change, held: Held): string {
  const { kind, fields, why } = change;
  const names = listSome(fields.map(({ field }) => field));
  const what = kind === 'update' ? `update of ${names}` : wordsOf(change.kind).willBe;
  return `${what} (${say(why)}); ${heldBy(held)}`;
}

/** Returns the same for the record that would give its username to the one that is changed. */
export function claimedSentence({ id }: Change, held: Held): string {
  return `source id ${id} comes with the username: the same person? ${heldBy(held)}`;
}

function heldBy({ guard, hash }: Held): string {
  return `held by sync.guard.${guard} until released: rollcall sync --approve ${hash}`;
}

/** Returns the likely cause of what one guard holds, as a line, or no line. */
export function causeLines({ cause }: Held): readonly string[] {
  return cause === null ? [] : [`  Likely cause: ${printableText(cause)}.`];
}

/** Returns what one guard holds, as `plan` and `status` say it: the numbers, then the first records. */
export function heldLines({
  guard,
  count,
  limit,
  first,
  about,
}: Held): readonly [numbers: string, records: string] {
  const more = count > first.length ? `, … and ${count - first.length} more` : '';
  const names = first.map((name) => printableText(name)).join(', ') + more;
  if (guard === 'source')
    return [`by sync.guard.source: ${printableText(about)}`, '  Nothing is planned before this is approved.'];
  return [
    `by sync.guard.${guard}: ${counted(count, 'change')}, the limit is ${limit}${about === '' ? '' : ` (${printableText(about)})`}`,
    `  ${names}`,
  ];
}

interface CountedText {
  /** `people` or `units`. */
  readonly noun: string;
  /** As `3 of 40`, or `3` alone. */
  readonly share: string;
  readonly tripped: Tripped;
  readonly doubts: readonly CountedDoubt[];
}

/** Returns which part it is about, as the end of `9 of 10 people`. */
function partOf(bucket: string): string {
  const part = partIn(bucket);
  if (part === null) return '';
  return part.is === 'source' ? ` who come from ${part.name}` : ` in unit ${part.name}, with all below it`;
}

type Sentence = (held: CountedText) => string;

type PlainGuard = { [G in Guard]: (typeof GUARDS)[G]['would'] extends string ? G : never }[Guard];

/** Sentences of the guards whose traits have none. */
const SENTENCES: Readonly<Record<Exclude<Guard, PlainGuard>, Sentence>> = {
  joiners: ({ tripped: { count, of }, noun }) => `${count} would join ${of.base} ${noun}`,
  emptied: ({ share, noun, tripped: { bucket } }) =>
    `${emptiedIn(bucket) ?? ''} turns empty for ${share} ${noun}${partOf(bucket)}`,
  unexplained: ({ doubts }) => doubts.map(describeDoubt).join('; '),
  lost: ({ share, noun }) =>
    `${share} ${noun} would lose ${noun === 'units' ? 'what others typed into their nodes' : 'values that no rule maps'}`,
  source: () => '',
  adopted: ({ tripped: { bucket, count, of }, noun }) => {
    if (isOthersBucket(bucket) && noun === 'units')
      return `${count === 1 ? 'the node of 1 unit shows' : `the nodes of ${count} units show`} another serial number and another name: approve to make them anew, or set their serial numbers in the service`;
    if (isOthersBucket(bucket))
      return `${count === 1 ? '1 person has' : `${count} people have`} the username of an account that others made under another name: approve only what is the same person`;
    const things = noun === 'people' ? 'accounts' : 'units';
    if (bucket !== STRANGERS) return `${count} of ${of.base} ${things} that others made would change`;
    return `${count} of ${of.base} ${things} that others made are inactive in the source and would be disabled`;
  },
  usernameReuse: ({ tripped: { count }, noun }) =>
    count === 1
      ? '1 person comes with a username that is known under another id, or with the id of a leaver: approve only what is the same person'
      : `${count} ${noun} come with a username that is known under another id, or with the id of a leaver: approve only what is the same person`,
};

function sentenceOf(guard: Guard, held: CountedText): string {
  const { would } = GUARDS[guard];
  if (would === null) return SENTENCES[guard as keyof typeof SENTENCES](held);
  return `${held.share} ${held.noun}${partOf(held.tripped.bucket)} ${would}`;
}

/** Some of those counted may not belong to the number that the guard measures by: it never says "33 of 32". */
function shareOf({ count, of }: Tripped): string {
  return count > of.base ? `${count}` : `${count} of ${of.base}`;
}

const LOOK = 'can the reading account still read it, and is the export right?';

/** Returns why no value of so many records explains what happens to them. */
function describeDoubt({ doubt, count }: CountedDoubt): string {
  if (doubt.is === 'unprotected')
    return `sync.protect was edited, and kept this from ${counted(count, 'record')} until then`;
  if (doubt.is === 'edited')
    return `a rule, query, filter or table was edited: ${counted(count, 'record')} would change, perhaps for that reason alone`;
  const names = listSome([...new Set(doubt.names.map((name) => printable(plainName(name))))]);
  if (doubt.is === 'absent')
    return `${counted(count, 'record')} would change only because of missing values (${names}): ${LOOK}`;
  return doubt.is === 'vanished'
    ? `${names} is missing everywhere, and ${counted(count, 'record')} are new: ${LOOK}`
    : `${names}: this read brought none, and ${counted(count, 'record')} change for that reason: ${LOOK}`;
}

/**
 * Returns the numbers that were compared, as a sentence.
 *
 * @param doubts why nothing explains the changes, the most frequent first
 */
export function aboutTripped(tripped: Tripped, doubts: readonly CountedDoubt[] = []): string {
  const { guard, bucket, of } = tripped;
  const noun = bucket.split(' ')[1] === 'unit' ? 'units' : 'people';
  const sentence = sentenceOf(guard, { noun, share: shareOf(tripped), tripped, doubts });
  const along = [
    of.applied > 0 ? `${of.applied} more in the last 24 hours` : null,
    tripped.isOpened === true ? 'and an exclusion that kept something out matches nothing any more' : null,
  ];
  return [sentence, ...along.filter((text) => text !== null)].join(', ');
}
