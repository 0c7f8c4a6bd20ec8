import { SourceError } from '../../domain/errors.ts';
import type { Print, Recognition } from '../../domain/records/recognition.ts';
import type { Person, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import type { Readings, SourceEvidence, SourcePart, SourceRead } from '../../domain/records/source.ts';
import type { DistinctSettings } from '../../domain/source-settings.ts';
import { digest } from '../../lib/digest.ts';
import { lazily } from '../records/mapped.ts';
import type { RowsRead } from '../records/rows-read.ts';
import { DistinctUnits } from './distinct-units.ts';
import type { Member } from './members.ts';
import { loadPartners, type Partners } from './load-partners.ts';
import { spelledPerson, spelledRow, spelledUnit } from './prefixed.ts';

interface Opened {
  readonly member: Member;
  readonly read: RowsRead;
}

/** A source of which records are counted. */
interface Counted {
  readonly member: Member;
  readonly count: () => void;
}

type Batches<T> = (read: RowsRead, counted: Counted) => Readings<T>;

type Counts = Record<'units' | 'people' | 'positions', number>;

/** One read of several sources: complete where all of them are. */
export class CombinedRead implements SourceRead {
  readonly #opened: readonly Opened[];
  readonly #partners: Partners;
  readonly #distinct: DistinctUnits | null;

  private constructor(opened: readonly Opened[], partners: Partners, distinct: DistinctSettings | null) {
    this.#opened = opened;
    this.#partners = partners;
    this.#distinct = distinct === null ? null : new DistinctUnits(distinct);
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

  /** Yields the units of all sources or, where they are made from values, the units of these. */
  async *units(): AsyncGenerator<Iterable<Reading<Unit>>> {
    if (this.#distinct !== null) {
      for await (const batch of this.#all('people', (read) => read.people(), spelledPerson))
        this.#distinct.add(batch);
      for await (const batch of this.#all('positions', (read) => read.positions(), spelledRow))
        this.#distinct.addRows(batch);
      yield this.#distinct.units();
      return;
    }
    yield* this.#all('units', (read) => read.units(), spelledUnit);
  }

  async *people(recognition?: Recognition): AsyncGenerator<Iterable<Reading<Person>>> {
    const people: Batches<Person> = (read, counted) => read.people(this.#within(recognition, counted));
    for await (const batch of this.#all('people', people, spelledPerson))
      yield this.#distinct === null ? batch : lazily(batch, (reading) => this.#placed(reading));
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    const distinct = this.#distinct;
    for await (const batch of this.#all('positions', (read) => read.positions(), spelledRow))
      yield distinct === null ? batch : lazily(batch, (reading) => distinct.placedRow(reading));
  }

  evidence(): SourceEvidence {
    const all = this.#opened.map(({ member, read }) => ({ name: member.name, evidence: read.evidence() }));
    const [only, ...others] = all;
    const partners = this.#partners.evidence();
    if (only?.name === null && others.length === 0) return only.evidence;
    return {
      type: 'combined',
      snapshot: all.map(({ name, evidence }) => `${name ?? ''}: ${evidence.snapshot}`).join(', '),
      parts: [...all, ...partners].flatMap(({ name, evidence }) =>
        evidence.parts.map((part) => fromOf(part, name)),
      ),
      referrals: all.flatMap(({ evidence }) => evidence.referrals),
      unknown: [...all, ...partners].flatMap(({ evidence }) => evidence.unknown),
      notKept: [...all, ...partners].flatMap(({ evidence }) => evidence.notKept ?? []),
      notes: toldBy(all, ({ notes }) => notes),
      warnings: toldBy(all, ({ warnings }) => warnings),
    };
  }

  async mayChange(): Promise<string | null> {
    const told: string[] = [];
    for (const { member, read } of this.#opened) {
      const may = await read.mayChange();
      if (may !== null) told.push(member.name === null ? may : `${member.name}: ${may}`);
    }
    return told.length === 0 ? null : told.join('; ');
  }

  async close(): Promise<void> {
    this.#partners.close();
    for (const { read } of this.#opened) await read.close();
  }

  /**
   * Returns what recognizes the people of one source, who depend on all partners. Where units are made from values nobody
   * is recognized: those of everybody are needed.
   */
  #within(recognition: Recognition | undefined, { member, count }: Counted): Recognition | undefined {
    if (recognition === undefined || this.#distinct !== null) return undefined;
    const salt = digest(
      JSON.stringify([recognition.salt, member.name, member.idPrefix, this.#partners.content]),
    );
    const isKnown = (print: Print): boolean => {
      const known = recognition.isKnown(print);
      if (known) count();
      return known;
    };
    return { salt, isKnown };
  }

  #placed(reading: Reading<Person>): Reading<Person> {
    return this.#distinct?.placed(reading) ?? reading;
  }

  /** Yields one part of all sources. Each source that has the part has to bring something of it. */
  async *#all<T>(
    part: keyof Counts,
    batches: Batches<T>,
    spelled: (reading: Reading<T>, spelling: Member['spelling']) => Reading<T>,
  ): AsyncGenerator<Iterable<Reading<T>>> {
    for (const { member, read } of this.#opened) {
      if (!member.has[part]) continue;
      let count = 0;
      const counted: Counted = { member, count: () => (count += 1) };
      for await (const batch of batches(read, counted)) {
        yield lazily(batch, (reading) => {
          counted.count();
          return spelled(reading, member.spelling);
        });
      }
      if (count === 0 && member.name !== null) throw nothingOf(part, member.name);
    }
  }
}

/** Returns sentences of all sources, each with the name of its source. */
function toldBy(
  all: readonly { readonly name: string | null; readonly evidence: SourceEvidence }[],
  tell: (evidence: SourceEvidence) => readonly string[] | undefined,
): readonly string[] {
  return all.flatMap(({ name, evidence }) =>
    (tell(evidence) ?? []).map((sentence) => (name === null ? sentence : `${name}: ${sentence}`)),
  );
}

const fromOf = (part: SourcePart, name: string | null): SourcePart =>
  name === null ? part : { ...part, from: name };

function nothingOf(part: keyof Counts, name: string): SourceError {
  return new SourceError(
    `source: sources.${name} brought no ${part}; the read is taken as incomplete and nothing is sent. ` +
      `Check source.${part}, and the rights of the reading account; a source that is empty for good is removed from the configuration.`,
  );
}
