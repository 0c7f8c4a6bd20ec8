import { emptiedIn, partIn } from '../../domain/buckets.ts';
import type { Change, FieldChange, PersonChange } from '../../domain/changes.ts';
import type { OpenPart, ChangePart } from '../../domain/ports/ledger/plan-book.ts';
import { sameValue } from '../values/compare.ts';
import { canBeKept, keepOld } from '../values/keep-old.ts';

/**
 * Returns the parts of a change that guards hold at least in part, first the one that goes on, if any. What turns empty
 * is a part of its own: it keeps its old value, and the record's other fields go on.
 */
export function divided(change: Change, open: readonly OpenPart[]): readonly [ChangePart, ...ChangePart[]] {
  const parts = partsOf(change, open);
  const [first = { change, hashes: [] }, ...others] = parts.toSorted(
    (a, b) => Number(!goesOn(a)) - Number(!goesOn(b)),
  );
  return [first, ...others];
}

const goesOn = ({ hashes }: ChangePart): boolean => hashes.length === 0;

function partsOf(change: Change, open: readonly OpenPart[]): readonly ChangePart[] {
  return change.subject === 'unit' ? [{ change, hashes: hashesOf(open) }] : personParts(change, open);
}

function personParts(change: PersonChange, open: readonly OpenPart[]): readonly ChangePart[] {
  const emptied = open.filter(({ bucket }) => emptiedIn(bucket) !== null);
  // A part of the source and one of the tree may both hold what turns empty.
  const names = [...new Set(emptied.flatMap(({ bucket }) => emptiedIn(bucket) ?? []))];
  // Who leaves the unit that holds it would not be counted there any more.
  const isMoving =
    change.fields.some(({ field }) => field === 'positions') &&
    emptied.some(({ bucket }) => partIn(bucket)?.is === 'unit');
  if (names.length === 0 || isMoving || !canBeKept(change, names))
    return [{ change, hashes: hashesOf(open) }];
  const hashes = hashesOf(open.filter((one) => !emptied.includes(one)));
  const rest = keepOld(change, new Set(names));
  const isNothing = rest.fields.length === 0 && change.kind === 'update';
  const restPart: ChangePart = { change: { ...rest, partial: true }, hashes };
  return [
    ...(isNothing ? [] : [restPart]),
    ...names.map((name) => {
      const others = new Set(names.filter((one) => one !== name));
      const after = keepOld(change, others);
      return {
        change: later(rest, after),
        hashes: [...hashes, ...hashesOf(emptied.filter(({ bucket }) => emptiedIn(bucket) === name))],
      };
    }),
  ];
}

const hashesOf = (open: readonly OpenPart[]): readonly string[] => [...new Set(open.map(({ hash }) => hash))];

/** Returns the update that is left to be done after `rest`: what `change` does beyond it. */
function later(rest: PersonChange, change: PersonChange): PersonChange {
  const fields = change.fields.flatMap((one): readonly FieldChange[] => {
    const done = rest.fields.find(({ field }) => field === one.field);
    if (done === undefined) return [one];
    return sameValue(done.to, one.to) ? [] : [{ ...one, from: done.to }];
  });
  return { ...change, kind: 'update', guard: 'emptied', fields, before: rest.payload.positions };
}
