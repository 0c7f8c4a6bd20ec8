import { fullRead } from '../../domain/full-reads.ts';
import type { SourceError } from '../../domain/errors.ts';
import type { FullReadNeeded } from '../../domain/reading/increment.ts';
import type { SourceMark } from '../../domain/reading/source-part.ts';
import type { Readings, SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import type {
  Person,
  Position,
  PositionRow,
  Print,
  Reading,
  Recognition,
  Unit,
} from '../../domain/records/records.ts';
import type { DistinctSettings } from '../../domain/source-settings.ts';
import { foldName } from '../../domain/text/fold.ts';
import { digest } from '../../lib/digest.ts';
import { loadPartners, type Partners } from './load-partners.ts';
import { spelledPerson, spelledRow, spelledUnit, type Member } from './members.ts';
import { sourceProblem } from '../connect/source-problems.ts';
import { lazily } from '../records/mapped.ts';
import type { RowsRead } from '../records/source-context.ts';

interface Opened {
  readonly member: Member;
  readonly read: RowsRead;
}

/** @param count is called for each record that is not yielded */
type PartBatches<T> = (opened: Opened, count: () => void) => Readings<T>;

type Counts = Record<'units' | 'people' | 'positions', number>;

/** One read of several sources: complete if all of them are. */
export class CombinedRead implements SourceRead {
  readonly #opened: readonly Opened[];
  readonly #partners: Partners;
  readonly #distinct: DistinctUnits | null;

  private constructor(opened: readonly Opened[], partners: Partners, distinct: DistinctSettings | null) {
    this.#opened = opened;
    this.#partners = partners;
    this.#distinct = distinct === null ? null : new DistinctUnits(distinct);
  }

  /** Why nothing is added to an earlier read; absent: that is not wanted. */
  get incremental(): FullReadNeeded | undefined {
    const isWanted = this.#opened.some(({ read }) => read.incremental !== undefined);
    return isWanted ? fullRead('full-combined', {}) : undefined;
  }

  /** Connects to all, and reads what completes others. */
  static async open(
    members: readonly Member[],
    distinct: DistinctSettings | null,
    signal: AbortSignal,
  ): Promise<CombinedRead> {
    const opened: Opened[] = [];
    try {
      for (const member of members) opened.push({ member, read: await member.source.open(signal) });
      return new CombinedRead(opened, await loadPartners(members, signal), distinct);
    } catch (error) {
      for (const { read } of opened) await read.close();
      throw error;
    }
  }

  /** Yields the units of all sources or, if they are made from values, the units of these. */
  async *units(): AsyncGenerator<Iterable<Reading<Unit>>> {
    if (this.#distinct !== null) {
      for await (const batch of this.#all('people', ({ read }) => read.people(), spelledPerson))
        this.#distinct.add(batch);
      for await (const batch of this.#all('positions', ({ read }) => read.positions(), spelledRow))
        this.#distinct.addRows(batch);
      yield this.#distinct.units();
      return;
    }
    yield* this.#all('units', ({ read }) => read.units(), spelledUnit);
  }

  async *people(recognition?: Recognition): AsyncGenerator<Iterable<Reading<Person>>> {
    const people: PartBatches<Person> = ({ member, read }, count) =>
      this.#isRecognized(member) && recognition !== undefined
        ? read.people(within(recognition, member, count))
        : read.people();
    const areSeveral = this.#opened.filter(({ member }) => member.has.people).length > 1;
    const spelled = (reading: Reading<Person>, member: Member): Reading<Person> =>
      areSeveral ? broughtBy(spelledPerson(reading, member), member.name) : spelledPerson(reading, member);
    for await (const batch of this.#all('people', people, spelled))
      yield this.#distinct === null ? batch : lazily(batch, (reading) => this.#placed(reading));
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    const distinct = this.#distinct;
    for await (const batch of this.#all('positions', ({ read }) => read.positions(), spelledRow))
      yield distinct === null ? batch : lazily(batch, (reading) => distinct.placedRow(reading));
  }

  async marks(): Promise<readonly SourceMark[]> {
    const all: Pick<Partners['reads'][number], 'name' | 'marks'>[] = [...this.#partners.reads];
    for (const { member, read } of this.#opened)
      all.push({ name: member.name ?? '', marks: await read.marks() });
    return all.flatMap(({ name, marks }) => marks.map((mark) => ({ ...mark, name: `${name} ${mark.name}` })));
  }

  requireSettled(): void {
    for (const { read } of this.#opened) read.requireSettled?.();
  }

  evidence(): SourceEvidence {
    const all = this.#opened.map(({ member, read }) => ({ name: member.name, evidence: read.evidence() }));
    const [only, ...others] = all;
    const partners = this.#partners.reads;
    if (only?.name === null && others.length === 0) return only.evidence;
    return {
      type: 'combined',
      snapshot: all.map(({ name, evidence }) => `${name ?? ''}: ${evidence.snapshot}`).join(', '),
      parts: [...all, ...partners].flatMap(({ name, evidence }) =>
        evidence.parts.map((part) => fromOf(part, name)),
      ),
      unknown: [...all, ...partners].flatMap(({ evidence }) => evidence.unknown),
      followed: all.flatMap(({ name, evidence }) =>
        (evidence.followed ?? []).map((one) => fromOf(one, name)),
      ),
      exclusions: [...all, ...partners].flatMap(({ name, evidence }) =>
        (evidence.exclusions ?? []).map((one) => ({
          ...one,
          place: name === null ? one.place : `${name}: ${one.place}`,
        })),
      ),
      notes: sentencesBySource(all, ({ notes }) => notes),
      warnings: sentencesBySource(all, ({ warnings }) => warnings),
      empty: sentencesBySource(all, ({ empty }) => empty),
    };
  }

  async close(): Promise<void> {
    this.#partners.close();
    for (const { read } of this.#opened) await read.close();
  }

  /**
   * Returns whether people of one source are recognized. They are not if the records of all people are needed
   * to make units, or if a partner completes them, because no print covers its values.
   */
  #isRecognized({ joins }: Member): boolean {
    return this.#distinct === null && joins.length === 0;
  }

  #placed(reading: Reading<Person>): Reading<Person> {
    return this.#distinct?.placed(reading) ?? reading;
  }

  /** Yields one part of all sources. Each source that has the part has to bring something of it. */
  async *#all<T>(
    part: keyof Counts,
    batches: PartBatches<T>,
    spelled: (reading: Reading<T>, member: Member) => Reading<T>,
  ): AsyncGenerator<Iterable<Reading<T>>> {
    for (const opened of this.#opened) {
      const { member } = opened;
      if (!member.has[part]) continue;
      let count = 0;
      const counted = (): void => void (count += 1);
      for await (const batch of batches(opened, counted)) {
        yield lazily(batch, (reading) => {
          counted();
          return spelled(reading, member);
        });
      }
      if (count === 0 && member.name !== null) throw nothingOf(part, member.name);
    }
  }
}

/** Keeps the prints of this source apart from those of others, and counts the people that it recognizes. */
function within(recognition: Recognition, { name, idPrefix }: Member, count: () => void): Recognition {
  const areKnown = (prints: readonly (Print | null)[]): readonly boolean[] => {
    const known = recognition.areKnown(prints);
    for (const isKnown of known) if (isKnown) count();
    return known;
  };
  return { salt: digest(JSON.stringify([recognition.salt, name, idPrefix])), areKnown };
}

/** Says which source brings the person. */
function broughtBy(reading: Reading<Person>, name: string | null): Reading<Person> {
  const parts = [`sources.${name ?? ''}`, ...(reading.broughtBy === undefined ? [] : [reading.broughtBy])];
  return { ...reading, broughtBy: parts.join(' and ') };
}

/** Returns sentences of all sources, each with the name of its source. */
function sentencesBySource(
  all: readonly { readonly name: string | null; readonly evidence: SourceEvidence }[],
  tell: (evidence: SourceEvidence) => readonly string[] | undefined,
): readonly string[] {
  return all.flatMap(({ name, evidence }) =>
    (tell(evidence) ?? []).map((sentence) => (name === null ? sentence : `${name}: ${sentence}`)),
  );
}

const fromOf = <T extends object>(part: T, name: string | null): T & { readonly from?: string } =>
  name === null ? part : { ...part, from: name };

function nothingOf(part: keyof Counts, name: string): SourceError {
  return sourceProblem('source-brings-none', { from: name, part });
}

/** A unit that is made from values, and how often each spelling of its name came. */
interface Made {
  readonly parent: string | null;
  readonly spellings: Map<string, number>;
}

/**
 * Makes units from the values that positions have for `unit`. Spellings that differ in case or blanks are one unit, which
 * is called as most of its people call it. Its id is its path, folded: a renamed value is a new unit.
 */
class DistinctUnits {
  readonly #separator: string | null;
  readonly #units = new Map<string, Made>();

  constructor({ separator }: DistinctSettings) {
    this.#separator = separator;
  }

  /**
   * Takes the values that name the units of people who are in scope and have not left. No other units are
   * needed.
   */
  add(batch: Iterable<Reading<Person>>): void {
    for (const reading of batch) {
      if (!reading.ok || reading.record.outOfScope !== undefined || reading.record.active === false) continue;
      for (const { unit } of reading.record.positions) this.#take(unit);
    }
  }

  addRows(batch: Iterable<Reading<PositionRow>>): void {
    for (const reading of batch) if (reading.ok) this.#take(reading.record.position.unit);
  }

  /** Returns the units, parents first. */
  units(): readonly Reading<Unit>[] {
    return [...this.#units].map(([id, { parent, spellings }]) => {
      const record: Unit = { id, refs: [id], parent, fields: { name: mostCommon(spellings) } };
      return { ok: true, record };
    });
  }

  placed(reading: Reading<Person>): Reading<Person> {
    if (!reading.ok) return reading;
    const byUnit = new Map<string | null, Position>();
    for (const position of reading.record.positions) {
      const placed = this.#placedIn(position);
      if (!byUnit.has(placed.unit)) byUnit.set(placed.unit, placed);
    }
    return { ...reading, record: { ...reading.record, positions: [...byUnit.values()] } };
  }

  placedRow(reading: Reading<PositionRow>): Reading<PositionRow> {
    if (!reading.ok) return reading;
    return { ok: true, record: { ...reading.record, position: this.#placedIn(reading.record.position) } };
  }

  #placedIn(position: Position): Position {
    const id = this.#pathOf(position.unit).at(-1)?.id;
    return id === undefined ? position : { ...position, unit: id };
  }

  #take(value: string | null): void {
    let parent: string | null = null;
    for (const { id, name } of this.#pathOf(value)) {
      const made: Made = this.#units.get(id) ?? { parent, spellings: new Map() };
      this.#units.set(id, made);
      made.spellings.set(name, (made.spellings.get(name) ?? 0) + 1);
      parent = id;
    }
  }

  /** Returns the units from the top to the one that a value names; empty if it names none. */
  #pathOf(value: string | null): readonly { readonly id: string; readonly name: string }[] {
    if (value === null) return [];
    const parts = this.#separator === null ? [value] : value.split(this.#separator);
    const names = parts.map((part) => part.trim().replaceAll(/\s+/gu, ' ')).filter((part) => part !== '');
    const separator = this.#separator ?? '';
    return names.map((name, depth) => ({
      id: names
        .slice(0, depth + 1)
        .map((part) => foldName(part))
        .join(separator),
      name,
    }));
  }
}

const isPlain = (name: string): boolean => name !== name.toLowerCase() && name !== name.toUpperCase();

/** Returns the spelling that came most often; of several one that is neither all small nor all large. */
function mostCommon(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].toSorted(
    ([a, n], [b, m]) => m - n || Number(isPlain(b)) - Number(isPlain(a)) || (a < b ? -1 : 1),
  );
  return first?.[0] ?? '';
}
