import type { Crowded, HeldPerson } from '../../domain/ports/ledger/plan-book.ts';
import type { ReasonCode } from '../../domain/reasons/reason.ts';
import { printable } from '../../domain/text/printable.ts';
import { say } from '../../domain/words/say.ts';
import type { UnitsAbove } from '../units/units-above.ts';
import type { UnitLabels } from './unit-labels.ts';

/**
 * What people can have in common:
 * - `unit`: they are in this unit, or below it
 * - `base`: this part of the source has brought them
 * - `field`: that changes; `reason`: code of why they change, if none does; people who do not change have neither
 */
type KindOfTrait = 'unit' | 'base' | 'field' | 'reason';
type Trait = `${KindOfTrait} ${string}`;

/** Fewer records have nothing in common. */
const FEWEST = 3;
/** So much of what is held has the trait that is named, and at most so much of the others. */
const OF_HELD = 0.8;
const OF_OTHERS = 0.2;
/** Ends the words of a reason where they become those of one record. */
const DETAILS = /(?: \(|[;:,]).*$/su;

/** Counts what people have in common. Its memory does not grow with their number. */
export class Crowd {
  size = 0;
  readonly #above: UnitsAbove;
  readonly #counts = new Map<Trait, number>();

  constructor(above: UnitsAbove) {
    this.#above = above;
  }

  get traits(): Iterable<readonly [Trait, number]> {
    return this.#counts;
  }

  with(trait: Trait): number {
    return this.#counts.get(trait) ?? 0;
  }

  /** @param change of a person whose change is held */
  add({ units, base }: Crowded, change?: Pick<HeldPerson, 'fields' | 'why'>): void {
    this.size += 1;
    for (const unit of new Set(units.flatMap((id) => this.#above.path(id)))) this.#count(`unit ${unit}`);
    if (base !== null) this.#count(`base ${base}`);
    if (change === undefined) return;
    for (const field of change.fields) this.#count(`field ${field}`);
    const { code, values } = change.why;
    if (change.fields.length === 0) this.#count(`reason ${values?.['how'] ?? code}`);
  }

  #count(trait: Trait): void {
    this.#counts.set(trait, this.with(trait) + 1);
  }
}

/** People whose changes are held, those of them who have a working account, and everybody who has one. */
export interface Crowds {
  readonly held: Crowd;
  readonly heldAtWork: Crowd;
  readonly atWork: Crowd;
}

/** A trait of held people, with how many of them and of the others have it. */
interface Cause {
  readonly what: KindOfTrait;
  readonly value: string;
  readonly held: number;
  readonly of: number;
  readonly others: number;
  readonly ofOthers: number;
}

/** Returns the trait that tells the held people from the others best, a reason last; `null`: none is shared by enough. */
export function likelyCause({ held, heldAtWork, atWork }: Crowds): Cause | null {
  const [of, ofOthers] = [held.size, atWork.size - heldAtWork.size];
  if (of < FEWEST || ofOthers === 0) return null;
  let best: Cause | null = null;
  for (const [trait, count] of held.traits) {
    const others = atWork.with(trait) - heldAtWork.with(trait);
    const cause = { ...parsed(trait), held: count, of, others, ofOthers };
    if (count < of * OF_HELD || others > ofOthers * OF_OTHERS) continue;
    if (best === null || contrast(cause) > contrast(best)) best = cause;
  }
  return best;
}

function contrast({ what, held, of, others, ofOthers }: Cause): number {
  return held / of - others / ofOthers - (what === 'reason' || what === 'field' ? 1 : 0);
}

function parsed(trait: Trait): Pick<Cause, 'what' | 'value'> {
  const at = trait.indexOf(' ');
  return { what: trait.slice(0, at) as KindOfTrait, value: trait.slice(at + 1) };
}

/** What the words of a cause are made with. */
interface CauseWords {
  readonly labels: UnitLabels;
  readonly isThere: (unit: string) => boolean;
}

/** Says what the held people have in common, and how many of the others have it; these have no reason to change. */
export function describeCause({ what, value, held, of, others, ofOthers }: Cause, words: CauseWords): string {
  const [some, all] = [held.toLocaleString('en'), of.toLocaleString('en')];
  const subject = held === of ? `All ${all}` : `${some} of the ${all}`;
  if (what === 'field') return `${subject}: change of ${printable(value)}`;
  if (what === 'reason') return `${subject}: ${say({ code: value as ReasonCode }).replace(DETAILS, '')}`;
  const count = others === 0 ? 'none' : others.toLocaleString('en');
  const beside = `${subject}, and ${count} of the ${ofOthers.toLocaleString('en')} others`;
  if (what === 'base') return `${beside}: brought by ${printable(value)}`;
  const name = words.labels.get(value) ?? printable(value);
  return `${beside}: in ${name}${words.isThere(value) ? '' : ', which is gone as well'}`;
}
