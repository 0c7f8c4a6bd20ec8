import type {
  Person,
  PositionRow,
  Reading,
  Recognition,
  Refusal,
  Unit,
} from '../../src/domain/records/records.ts';
import type {
  PositionSample,
  Readings,
  Sample,
  Source,
  SourceEvidence,
  SourceRead,
  SourceRules,
} from '../../src/domain/reading/source.ts';
import type { SourceMark, SourcePart } from '../../src/domain/reading/source-part.ts';
import { foldUsername } from '../../src/domain/text/fold.ts';
import { SourceError, StoppedError } from '../../src/domain/errors.ts';
import type { KeyedReading, KeyedReadings, RecordKey } from '../../src/domain/reading/increment.ts';
import { digest } from '../../src/lib/digest.ts';
import {
  MemoryChanges,
  memoryKeys,
  type MemoryIncrements,
  type MemoryPeople,
  type Said,
} from './memory-changes.ts';

/** What the source holds; a refusal stands where a record could not be mapped. */
export interface MemoryWorld {
  readonly units: readonly (Unit | Refusal)[];
  readonly people: readonly (Person | Refusal)[];
  /** As a separate query has them; absent: people carry their positions. */
  readonly positions?: readonly (PositionRow | Refusal)[];
  /** Names of the configuration that the server does not know. */
  readonly unknown?: SourceEvidence['unknown'];
}

export interface MemorySourceOptions {
  readonly fingerprint?: string;
  readonly identity?: string;
  readonly rules?: SourceRules;
}

/** The read breaks off in `part`, after so many of its records. */
export interface Breakage {
  readonly part: SourcePart['part'];
  readonly after: number;
}

/** `workers`: those whose id ends with 13, of whom a rule says that they have left as nothing says that they are here. */
export type Hiding = 'nobody' | 'everybody' | 'leavers' | 'workers';

/** A source in memory, to be changed between runs. Each `open` sees the world as it is at that moment. */
export class MemorySource implements Source {
  readonly fingerprint: string;
  alsoDecides: string | null = '';
  asks = { units: 'units', people: 'people', positions: '' };
  /** Changes where the company moves to another server. */
  identity: string;
  readonly rules: SourceRules;
  world: MemoryWorld;
  breakage: Breakage | null = null;
  /** Ids of people whose records were decoded in the last read. */
  decoded: string[] = [];
  /** Whose status the reading account does not see any more, which says who has left. */
  hidesStatus: Hiding = 'nobody';
  /** Ids of units that do not show any more what says that they are in scope; others have a `kind`. */
  hidesUnits: ReadonlySet<string> | null = null;
  /** Set where it tells what changed since an earlier read. */
  increments: MemoryIncrements | null = null;
  /** Set where it cannot prove its end. */
  atLeastPercent?: number;
  /** Set where it tells how far it is: a smaller one is of an older state. */
  mark?: number;
  /** Set where the people have several bases. */
  bases?: SourcePart['bases'];
  /** Set where its people come on a way on which some may be lost: returns those that came. */
  carry: ((people: MemoryWorld['people'], signal: AbortSignal) => Promise<MemoryWorld['people']>) | null =
    null;
  readonly #marks = new Map<string, Said>();

  constructor(world: MemoryWorld, options: MemorySourceOptions = {}) {
    this.world = world;
    this.fingerprint = options.fingerprint ?? 'memory';
    this.identity = options.identity ?? 'memory';
    this.rules = options.rules ?? { unit: {}, person: {}, position: {} };
  }

  get hasPositions(): boolean {
    return this.world.positions !== undefined;
  }

  async open(signal: AbortSignal): Promise<SourceRead> {
    if (signal.aborted) throw new StoppedError('The read of the source was stopped.');
    const { atLeastPercent, bases, breakage, hidesStatus, hidesUnits, mark } = this;
    const decoded: string[] = [];
    this.decoded = decoded;
    const how = { breakage, atLeastPercent, bases, decoded, hidesStatus, hidesUnits, mark };
    const increments = this.increments === null ? null : { how: this.increments, marks: this.#marks };
    const { world, carry } = this;
    const people = carry === null ? world.people : await carry(world.people, signal);
    return new MemoryRead({ ...world, people }, { ...how, increments }, signal);
  }

  async find(subject: Sample['subject'], texts: readonly string[]): Promise<readonly Sample[]> {
    const wanted = new Set(texts.map((text) => foldUsername(text)));
    const items = subject === 'unit' ? this.world.units : this.world.people;
    const named = items.filter((item) =>
      namesOf(item).some((name) => typeof name === 'string' && wanted.has(foldUsername(name))),
    );
    return named.slice(0, 20).map((item) => sampleOf(subject, item));
  }

  async findPositions(person: string): Promise<readonly PositionSample[]> {
    const rows = (this.world.positions ?? []).filter((row) => 'person' in row && row.person === person);
    return rows.map((row) => {
      const reading = readingOf<PositionRow>(row);
      return {
        place: 'memory',
        raw: {},
        reading: reading.ok ? { ok: true, record: [reading.record] } : reading,
      };
    });
  }
}

class MemoryRead implements SourceRead {
  readonly incremental: SourceRead['incremental'];
  readonly #world: MemoryWorld;
  readonly #breakage: Breakage | null;
  readonly #decoded: string[];
  readonly #share: Pick<SourcePart, 'atLeastPercent'>;
  readonly #bases: SourcePart['bases'];
  readonly #mark: number | undefined;
  readonly #signal: AbortSignal;
  readonly #hidesStatus: Hiding;
  readonly #hidesUnits: ReadonlySet<string> | null;
  readonly #parts = new Map<SourcePart['part'], { records: number; end: string }>();

  constructor(
    world: MemoryWorld,
    how: {
      readonly bases: SourcePart['bases'] | undefined;
      readonly breakage: Breakage | null;
      readonly atLeastPercent: number | undefined;
      readonly mark: number | undefined;
      readonly decoded: string[];
      readonly hidesStatus: Hiding;
      readonly hidesUnits: ReadonlySet<string> | null;
      readonly increments: Pick<MemoryPeople, 'how' | 'marks'> | null;
    },
    signal: AbortSignal,
  ) {
    this.#world = world;
    this.#breakage = how.breakage;
    this.#decoded = how.decoded;
    this.#bases = how.bases;
    this.#mark = how.mark;
    this.#share = how.atLeastPercent === undefined ? {} : { atLeastPercent: how.atLeastPercent };
    this.#signal = signal;
    this.#hidesStatus = how.hidesStatus;
    this.#hidesUnits = how.hidesUnits;
    if (how.increments === null) return;
    this.incremental = new MemoryChanges({
      ...how.increments,
      now: () => this.#said(),
      read: (wanted) => this.#changed(wanted),
    });
  }

  async marks(): Promise<readonly SourceMark[]> {
    if (this.#mark === undefined) return [];
    return [{ name: 'memory', value: String(this.#mark), behind: 'the memory is behind' }];
  }

  async *units(): AsyncGenerator<readonly Reading<Unit>[]> {
    for await (const batch of this.#read('units', this.#world.units))
      yield batch.map((reading) => this.#shown(reading));
  }

  /** Without a kind a unit looks as if it were out of scope. */
  #shown(reading: Reading<Unit>): Reading<Unit> {
    if (!reading.ok || reading.record.outOfScope !== undefined || this.#hidesUnits === null) return reading;
    const { id, refs } = reading.record;
    if (!this.#hidesUnits.has(id)) return { ...reading, has: { kind: 'unit' } };
    return {
      ok: true,
      has: {},
      record: { id, refs, parent: null, fields: {}, outOfScope: "kind == 'unit'" },
    };
  }

  positions(): Readings<PositionRow> {
    return this.#read('positions', this.#world.positions ?? []);
  }

  async *people(recognition?: Recognition): KeyedReadings {
    const keys = this.#keys().values();
    for await (const batch of this.#read('people', this.#world.people)) {
      const seen = batch.map((reading) => this.#keyed(this.#seen(reading), keys.next().value));
      const isWhole = recognition === undefined || this.#hidesStatus !== 'nobody';
      const rest = isWhole ? seen : seen.flatMap((reading) => unlessKnown(reading, recognition));
      for (const reading of rest) this.#decoded.push(reading.ok ? reading.record.id : '');
      yield rest;
    }
  }

  #keys(): readonly RecordKey[] {
    return memoryKeys(this.#world.people.map((one) => readingOf<Person>(one)));
  }

  #keyed(reading: Reading<Person>, key: RecordKey | undefined): KeyedReading {
    return this.incremental === undefined || key === undefined ? reading : { ...reading, key };
  }

  /** What each record says now. */
  #said(): Said {
    const people = this.#world.people.map((one) => this.#seen(readingOf<Person>(one)));
    const keys = memoryKeys(people);
    return new Map(people.map((one, at) => [keys[at] ?? '', JSON.stringify(one)]));
  }

  async *#changed(wanted: (key: RecordKey) => boolean): KeyedReadings {
    const keys = this.#keys();
    const some = this.#world.people.flatMap((one, at) =>
      wanted(keys[at] ?? '') ? [{ one, key: keys[at] }] : [],
    );
    const rest = some.map(({ key }) => key).values();
    for await (const batch of this.#read(
      'people',
      some.map(({ one }) => one),
    )) {
      const seen = batch.map((reading) => this.#keyed(this.#seen(reading), rest.next().value));
      for (const reading of seen) this.#decoded.push(reading.ok ? reading.record.id : '');
      yield seen;
    }
  }

  /** Without a status everybody looks as if they were here. */
  #seen(reading: Reading<Person>): Reading<Person> {
    if (!this.#isHidden(reading)) return { ...reading, has: { status: statusOf(reading) } };
    const active = this.#hidesStatus !== 'workers';
    if (!reading.ok) return { ok: false, refusal: { ...reading.refusal, active } };
    return { ok: true, has: {}, record: { ...reading.record, active, fields: { ...reading.record.fields } } };
  }

  #isHidden(reading: Reading<Person>): boolean {
    const hasLeft = (reading.ok ? reading.record.active : reading.refusal.active) === false;
    if (this.#hidesStatus === 'workers')
      return !hasLeft && (reading.ok ? reading.record.id : reading.refusal.id)?.endsWith('13') === true;
    return this.#hidesStatus === 'everybody' || (this.#hidesStatus === 'leavers' && hasLeft);
  }

  expect(): void {
    // It has no groups.
  }

  evidence(): ReturnType<SourceRead['evidence']> {
    const parts = [...this.#parts].map(([part, { records, end }]) => ({
      part,
      records,
      pages: 1,
      end,
      ...this.#share,
      ...(part === 'people' && this.#bases !== undefined && { bases: this.#bases }),
    }));
    const unknown = this.#world.unknown ?? [];
    return { type: 'sqlite', snapshot: 'memory', parts, unknown };
  }

  async close(): Promise<void> {
    // Nothing is held.
  }

  async *#read<T extends object>(
    part: SourcePart['part'],
    items: readonly (T | Refusal)[],
  ): AsyncGenerator<readonly Reading<T>[]> {
    if (part === 'positions' && this.#world.positions === undefined) return;
    const progress = { records: 0, end: 'not ended' };
    this.#parts.set(part, progress);
    for (const item of items) {
      this.#check(part, progress.records);
      progress.records += 1;
      yield [readingOf(item)];
    }
    this.#check(part, progress.records);
    progress.end = 'end of rows';
  }

  #check(part: SourcePart['part'], records: number): void {
    if (this.#signal.aborted) throw new StoppedError('The read of the source was stopped.');
    if (this.#breakage?.part !== part || records < this.#breakage.after) return;
    throw new SourceError(`The source in memory broke off in ${part} after ${records} records.`);
  }
}

/** Takes for the bytes of a record what it says. */
function unlessKnown(reading: KeyedReading, recognition: Recognition): readonly KeyedReading[] {
  if (!reading.ok) return [reading];
  const print = digest(recognition.salt + JSON.stringify(reading.record));
  return recognition.areKnown([print], [reading.key ?? null])[0] === true ? [] : [{ ...reading, print }];
}

function readingOf<T extends object>(item: T | Refusal): Reading<T> {
  return 'reason' in item ? { ok: false, refusal: item } : { ok: true, record: item };
}

/** Returns what stands for the value of the status. */
const statusOf = (reading: Reading<Person>): string =>
  (reading.ok ? reading.record.active : reading.refusal.active) === false ? 'left' : 'here';

function namesOf(item: Unit | Person | Refusal): readonly unknown[] {
  if ('reason' in item) return [item.id];
  if ('username' in item) return [item.id, item.username];
  return [item.id, item.fields['serial_no'], item.fields['name']];
}

function sampleOf(subject: Sample['subject'], item: Unit | Person | Refusal): Sample {
  const reading = readingOf<Unit | Person>(item) as Sample['reading'];
  return { subject, place: 'memory', raw: {}, reading };
}
