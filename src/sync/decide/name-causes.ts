import { emptiedIn, wholeOf } from '../../domain/buckets.ts';
import type { FieldValue } from '../../domain/records/fields.ts';
import type { Individual } from '../../domain/ports/ledger/plan-book.ts';
import { absentName, decidedBefore, decidingName } from '../../domain/reading/deciding.ts';
import { isUsual } from '../../domain/reading/usual-names.ts';
import { findCauses } from '../../plan/causes/find-causes.ts';
import { candidatesOf, Tally } from '../../plan/causes/tally.ts';
import { traitOf, type TraitKey } from '../../plan/causes/trait.ts';
import { changeTraits, personTraits, unitTraits, type Wants } from '../../plan/causes/traits-of.ts';
import { UnitsAbove } from '../../plan/causes/units-above.ts';
import { standingOf } from '../../plan/causes/unit-standing.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { askedAnew } from '../read/asked.ts';
import {
  describeAbsent,
  describeAsked,
  describeCauses,
  describeDoubtedNames,
  describeLacked,
  type CauseWords,
} from '../../plan/words/describe-cause.ts';
import { unitLabels } from '../../plan/words/unit-labels.ts';
import type { Run } from '../state/world.ts';
import { unitNames } from '../state/unit-names.ts';

/** Candidates come from so many of the held people and of all; they are then counted among everybody. */
const SAMPLE = 2_000;

/**
 * Returns the likely cause of each bucket that is held, in words: what its records have in common. Called while what is
 * open is gathered, and nothing is held yet. Reads everybody once, whatever the number of buckets.
 */
export function nameCauses(
  run: Run,
  tree: UnitTree,
  buckets: readonly string[],
): ReadonlyMap<string, string> {
  if (buckets.length === 0) return new Map();
  const asked = askedAnew(run);
  const above = new UnitsAbove(run.ledger.units.all(), tree);
  const tallies = [...peopleTallies(run, above, buckets), ...unitTallies(run, above, buckets)];
  const words = wordsFor(run, tree);
  const found = new Map(tallies);
  return new Map(
    buckets.flatMap((bucket) => {
      const tally = found.get(bucket);
      const causes = tally === undefined ? [] : findCauses(tally);
      const shared = describeCauses(causes, { ...words, bucket });
      const texts = [
        doubtedIn(run, bucket),
        absentIn(run, bucket),
        lackedIn(run, bucket),
        describeAsked(asked, bucket),
        shared,
      ].filter((text) => text !== null);
      return texts.length === 0 ? [] : [[bucket, texts.join('. ')] as const];
    }),
  );
}

/** Returns what is absent, as a sentence; `null`: nothing in this bucket comes from that. */
function absentIn({ ledger: { plan } }: Run, bucket: string): string | null {
  if (isOfUnits(bucket)) return null;
  const lists = plan.crowd
    .someIn(bucket, SAMPLE)
    .flatMap(({ change }) => (change?.absent ? [change.absent] : []));
  return lists.length === 0 ? null : describeAbsent([...new Set(lists.flat())], lists.length);
}

/**
 * Returns what most leavers of the bucket lack of what decides about people, as a sentence, where most people had it; `null`:
 * nothing.
 */
function lackedIn({ ledger, source }: Run, bucket: string): string | null {
  if ((wholeOf(bucket) ?? bucket) !== 'leavers person') return null;
  const lacked = decidedBefore(ledger.fact('decided'), source.identity).flatMap((one) => {
    const { of, lack } = ledger.plan.crowd.lacking(bucket, absentName(one));
    return isUsual(one) && one.part === 'people' && lack * 2 > of
      ? [{ name: decidingName(one), of, lack }]
      : [];
  });
  return lacked.length === 0 ? null : describeLacked(lacked);
}

/** Returns what several had and nobody has now, as a sentence, where people would come or leave; `null`: nothing. */
function doubtedIn({ ledger }: Run, bucket: string): string | null {
  const names = ledger.fact('decided')?.doubted ?? [];
  const isMeant = ['joiners person', 'leavers person'].includes(wholeOf(bucket) ?? bucket);
  return names.length === 0 || !isMeant ? null : describeDoubtedNames(names);
}

type Tallies = readonly (readonly [bucket: string, tally: Tally])[];

const isOfUnits = (bucket: string): boolean => bucket.split(' ')[1] === 'unit';

function peopleTallies({ ledger }: Run, above: UnitsAbove, buckets: readonly string[]): Tallies {
  const { crowd } = ledger.plan;
  const ofPeople = buckets.filter((bucket) => !isOfUnits(bucket));
  if (ofPeople.length === 0) return [];
  crowd.gather();
  const some = crowd.some(SAMPLE);
  const tallies = ofPeople.map((bucket) => {
    const others = some.filter((one) => isBeside(one, bucket)).map((one) => personTraits(one, above));
    const held = crowd.someIn(bucket, SAMPLE).map((one) => allTraits(one, above));
    const candidates = candidatesOf(held, others).filter((key) => isHeldHere(key, bucket, buckets));
    return [bucket, new Tally(candidates)] as const;
  });
  const wanted = new Set(tallies.flatMap(([, { candidates }]) => candidates.map((key) => fieldOf(key))));
  if (wanted.size === 0) return [];
  const wants: Wants = (field) => wanted.has(field);
  for (const one of crowd.everybody()) {
    const traits = allTraits(one, above, wants);
    for (const [bucket, tally] of tallies) {
      const isHeld = one.buckets.includes(bucket);
      if (isHeld || isBeside(one, bucket)) tally.add(traits, isHeld);
    }
  }
  return tallies;
}

/**
 * Returns whether a trait may explain what this bucket holds. A field that turns empty on many is held by a bucket of its
 * own: it says nothing of other changes of the same records.
 */
function isHeldHere(key: TraitKey, bucket: string, buckets: readonly string[]): boolean {
  const { what, field } = traitOf(key);
  if (what !== 'change' && what !== 'field') return true;
  const own = emptiedIn(bucket);
  return own === null ? !buckets.some((other) => emptiedIn(other) === field) : own === field;
}

/** Returns whether a person is among those whom the held ones are compared with. */
function isBeside({ buckets, isDisabled }: Individual, bucket: string): boolean {
  return !buckets.includes(bucket) && isDisabled === (wholeOf(bucket) === 'joiners person');
}

/** Returns the field in the record: of `properties.11`, `properties`. */
const fieldOf = (key: TraitKey): string => traitOf(key).field.split('.')[0] ?? '';

function allTraits(one: Individual, above: UnitsAbove, wants?: Wants): ReadonlySet<TraitKey> {
  const own = personTraits(one, above, wants);
  return one.change === null ? own : new Set([...own, ...changeTraits(one.change)]);
}

function unitTallies({ ledger }: Run, above: UnitsAbove, buckets: readonly string[]): Tallies {
  const entries = ledger.units.all().filter(({ state }) => state === 'managed');
  return buckets
    .filter((bucket) => isOfUnits(bucket))
    .map((bucket) => {
      const changes = ledger.plan.openUnits(bucket);
      const ids = new Set(changes.map(({ id }) => id));
      const sentOf = new Map(entries.map(({ id, sent }) => [id, sent]));
      const held = changes.map((one) => {
        const own = unitTraits(one.id, sentOf.get(one.id) ?? one.payload, above);
        return new Set([...own, ...changeTraits(one)]);
      });
      const others = entries
        .filter(({ id }) => !ids.has(id))
        .map(({ id, sent }) => unitTraits(id, sent, above));
      const tally = new Tally(candidatesOf(held, others));
      for (const traits of held) tally.add(traits, true);
      for (const traits of others) tally.add(traits, false);
      return [bucket, tally] as const;
    });
}

function wordsFor(run: Run, tree: UnitTree): Omit<CauseWords, 'bucket'> {
  const names = unitNames(run, tree);
  const labels = unitLabels(names);
  const changes = run.ledger.plan
    .unitChanges()
    .flatMap(({ change }) => (change.subject === 'unit' ? [change] : []));
  const parents = new Set([
    ...run.ledger.units.all().map(({ sent }) => sent.parent),
    ...[...tree.nodes.values()].map(({ parent }) => parent),
  ]);
  return {
    labelOf: (unit) => labels.get(unit) ?? unit,
    standingOf: (unit) => standingOf(unit, { tree, changes, names }),
    moveOf: (unit) => {
      const field = changes
        .find(({ id }) => id === unit)
        ?.fields.find(({ field: name }) => name === 'parent');
      return field === undefined ? null : { from: textOf(field.from), to: textOf(field.to) };
    },
    hasUnitsBelow: (unit) => parents.has(unit),
  };
}

const textOf = (value: FieldValue | null): string | null => (typeof value === 'string' ? value : null);
