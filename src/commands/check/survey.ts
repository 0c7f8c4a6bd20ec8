import { StoppedError } from '../../domain/errors.ts';
import { POSITION_FIELDS } from '../../domain/records/fields.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type {
  Loss,
  Person,
  Position,
  PositionRow,
  Reading,
  Refusal,
  Unit,
} from '../../domain/records/records.ts';
import type { KeyedReading } from '../../domain/reading/increment.ts';
import { showValue } from '../../domain/ports/service.ts';
import type { Readings, Source, SourceEvidence } from '../../domain/reading/source.ts';
import { buildTree, type UnitTree } from '../../plan/units/tree.ts';
import { FieldCounts, fieldsHave, personHas, unitHas } from './field-counts.ts';
import { Groups } from './groups.ts';
import { KeySet } from '../../lib/key-set.ts';
import { IncrementsTrial } from './try-increments.ts';
import type { Survey, SurveyOptions } from './survey-result.ts';
import { namedText } from './words.ts';
import { printable } from '../../domain/text/printable.ts';

/** Number of people whose names are remembered until a row of positions mentions them. */
const MOST_REMEMBERED = 10_000;
const FIRST = 5;

/**
 * Reads the source once to its end. Memory grows by a few bytes for each person, however large the records
 * are.
 */
export async function surveySource(source: Source, options: SurveyOptions): Promise<Survey> {
  const read = await source.open(options.signal);
  read.expect(options.followed ?? []);
  try {
    const surveyor = new Surveyor(source, options);
    const trial = new IncrementsTrial(read);
    await each(read.units(), options.signal, (reading) => surveyor.unit(reading));
    surveyor.placeUnits();
    await each(read.people(), options.signal, (reading: KeyedReading) => {
      trial.note(reading);
      surveyor.person(reading);
    });
    await each(read.positions(), options.signal, (reading) => surveyor.row(reading));
    const survey = surveyor.survey(read.evidence());
    return { ...survey, increments: await trial.end(options.signal), mayChange: await read.mayChange() };
  } finally {
    await read.close();
  }
}

async function each<T>(
  batches: Readings<T>,
  signal: AbortSignal,
  take: (reading: Reading<T>) => void,
): Promise<void> {
  for await (const batch of batches) {
    if (signal.aborted) throw new StoppedError('stopped: the source was not read to its end');
    for (const reading of batch) take(reading);
  }
}

const whereOf = (part: 'units' | 'people', expression: string): string =>
  `source.${part}.where: ${expression}`;

/** The part of a reason that differs from record to record: a quoted value. */
const OWN_VALUE = /"(?:[^"\\]|\\.)*"/gu;

class Surveyor {
  readonly #options: SurveyOptions;
  readonly #units: Unit[] = [];
  readonly #unitRefusals: Refusal[] = [];
  /** References of units that `source.units.where` leaves out. */
  readonly #outside: string[] = [];
  readonly #unitFields: FieldCounts<Unit>;
  readonly #personFields: FieldCounts<Person>;
  readonly #positionFields: FieldCounts<Position['fields']>;
  readonly #samples: (Reading<Unit> | Reading<Person>)[] = [];
  readonly #refused = new Groups();
  readonly #lost = new Groups();
  readonly #badUnits = new Groups();
  readonly #shared = new Groups();
  readonly #unitRefs = new Groups();
  readonly #ids = new KeySet();
  readonly #usernames = new KeySet();
  /** Ids of the people who are left as they are. */
  readonly #refusedIds = new KeySet();
  readonly #inactive = new KeySet();
  /** People who have a position in any unit. */
  readonly #seated = new KeySet();
  /** First few of the people who have no position so far. */
  readonly #unseated = new Map<string, string>();
  readonly #stray = new Groups();
  readonly #outOfScope = new Groups();
  readonly #protected = new Groups();
  #tree: UnitTree = buildTree({ units: [], refusals: [], root: null });
  #people = 0;
  #left = 0;
  #unknown = 0;
  #positions = 0;
  #placed = 0;
  /** Active people, counted by id: people who share an id count once. */
  #active = 0;
  #seatedActive = 0;

  constructor({ rules }: Source, options: SurveyOptions) {
    this.#options = options;
    this.#unitFields = new FieldCounts(rules.unit, unitHas);
    this.#personFields = new FieldCounts(rules.person, personHas);
    const optional = Object.entries(rules.position).filter(([field]) => field in POSITION_FIELDS);
    this.#positionFields = new FieldCounts(Object.fromEntries(optional), fieldsHave);
  }

  unit(reading: Reading<Unit>): void {
    if (reading.ok && reading.record.outOfScope !== undefined) {
      this.#outside.push(...reading.record.refs);
      return this.#outOfScope.add(whereOf('units', reading.record.outOfScope), printable(reading.record.id));
    }
    if (this.#units.length + this.#unitRefusals.length < this.#options.samples) this.#samples.push(reading);
    if (!reading.ok) {
      this.#unitRefusals.push(reading.refusal);
      this.#refuse(reading.refusal);
      return;
    }
    const { record } = reading;
    this.#units.push(record);
    this.#unitFields.add(record);
    this.#lose('unit', showValue(record.fields['name']), record.losses);
  }

  placeUnits(): void {
    const { root } = this.#options;
    const [units, refusals] = [this.#units, this.#unitRefusals];
    this.#tree = buildTree({ units, refusals, outside: this.#outside, root });
    const nameOf = new Map(this.#units.map(({ id, fields }) => [id, showValue(fields['name'])]));
    for (const [id, reason] of this.#tree.problems) {
      this.#badUnits.add(reason, namedText(nameOf.get(id) ?? '', id));
    }
  }

  person(reading: Reading<Person>): void {
    // Nobody is ours before the first run.
    if (!reading.ok && reading.refusal.ifOurs === true) return;
    if (reading.ok) this.#noteConditions(reading.record);
    if (reading.ok && reading.record.outOfScope !== undefined) return;
    if (this.#people + this.#refusedIds.size < this.#options.samples) this.#samples.push(reading);
    if (!reading.ok) {
      this.#refusedIds.add(reading.refusal.id ?? '');
      return this.#refuse(reading.refusal);
    }
    const { record } = reading;
    this.#people += 1;
    this.#options.values.add(record);
    this.#personFields.add(record);
    if (record.active === false) this.#left += 1;
    if (record.active === null) this.#unknown += 1;
    if (record.active !== false) this.#lose('person', namedText(record.username, record.id), record.losses);
    this.#identify(record);
    this.#place(record);
  }

  #noteConditions({ id, username, outOfScope, isProtected }: Person): void {
    const name = namedText(username, id);
    if (outOfScope !== undefined) this.#outOfScope.add(whereOf('people', outOfScope), name);
    if (isProtected === true) this.#protected.add('', name);
  }

  #identify({ id, username, active }: Person): void {
    if (!this.#ids.add(id)) this.#shared.add('several people share an id', printable(id));
    else if (active !== false) this.#active += 1;
    if (!this.#usernames.add(foldUsername(username))) {
      this.#shared.add('several people share a username', printable(username));
    }
    if (active === false) this.#inactive.add(id);
  }

  #place({ id, username, active, positions }: Person): void {
    for (const position of positions) this.#position({ person: id, position }, namedText(username, id));
    const isSeated = positions.length > 0 || active === false;
    if (!isSeated && this.#unseated.size < MOST_REMEMBERED) this.#unseated.set(id, printable(username));
  }

  row(reading: Reading<PositionRow>): void {
    if (!reading.ok) return this.#refuse(reading.refusal);
    const { person } = reading.record;
    if (!this.#ids.has(person) && !this.#refusedIds.has(person)) this.#stray.add('', printable(person));
    else {
      this.#position(reading.record, person);
      this.#lose('position', person, reading.record.losses);
    }
  }

  #position({ person, position: { unit, fields } }: PositionRow, name: string): void {
    this.#positions += 1;
    this.#positionFields.add(fields);
    const problem = unit === null ? null : this.#problemOf(unit);
    if (problem === null) this.#placed += 1;
    const isActive = !this.#inactive.has(person);
    if (problem !== null && isActive) this.#unitRefs.add(problem, name);
    // People who are left as they are were not counted among the active.
    if (this.#seated.add(person) && isActive && this.#ids.has(person)) this.#seatedActive += 1;
    this.#unseated.delete(person);
  }

  #problemOf(ref: string): string | null {
    const target = this.#tree.resolve(ref);
    const quoted = `"${printable(ref)}"`;
    if (target.is === 'unknown') return `no unit is called ${quoted}${this.#tree.near(ref)}`;
    if (target.is === 'outside') return `unit ${quoted} is out of scope by source.units.where`;
    if (target.is === 'ambiguous') return `several units are called ${quoted}`;
    if (target.is === 'refused') return `unit ${quoted} cannot be used`;
    if (target.is === 'root' || !this.#tree.problems.has(target.id)) return null;
    return `unit ${printable(target.id)} cannot be used`;
  }

  #refuse({ subject, id, place, field, reason }: Refusal): void {
    const kind = `${subject}, ${field}: ${reason.replaceAll(OWN_VALUE, '…')}`;
    this.#refused.add(kind, id === null ? printable(place) : namedText(id, place));
  }

  #lose(subject: Refusal['subject'], name: string, losses: readonly Loss[] = []): void {
    for (const { field, reason } of losses)
      this.#lost.add(`${subject}, ${field}: ${reason.replaceAll(OWN_VALUE, '…')}`, name);
  }

  survey(evidence: SourceEvidence): Omit<Survey, 'mayChange' | 'increments'> {
    const people = { count: this.#people, left: this.#left, unknown: this.#unknown };
    const [strayRows = { reason: '', count: 0, first: [] }] = this.#stray.list();
    const first = [...this.#unseated].slice(0, FIRST).map(([id, username]) => namedText(username, id));
    const withoutUnit = { reason: '', count: this.#active - this.#seatedActive, first };
    return {
      evidence,
      units: { count: this.#units.length, fields: this.#unitFields.list() },
      people: { ...people, fields: this.#personFields.list() },
      positions: { count: this.#positions, placed: this.#placed, fields: this.#positionFields.list() },
      samples: this.#samples,
      refused: this.#refused.list(),
      lost: this.#lost.list(),
      badUnits: this.#badUnits.list(),
      shared: this.#shared.list(),
      unitRefs: this.#unitRefs.list(),
      withoutUnit,
      strayRows,
      outOfScope: this.#outOfScope.list(),
      protectedPeople: this.#protected.list()[0] ?? { reason: '', count: 0, first: [] },
      rootFound: this.#tree.rootFound,
    };
  }
}
