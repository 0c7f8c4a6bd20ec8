import { SourceError } from '../domain/errors.ts';
import { PERSON_FIELDS, type FieldSpec, type Fields } from '../domain/fields.ts';
import type { PlacedPosition } from '../domain/payload.ts';
import type { Person, Position, Reading, Refusal, Unit } from '../domain/records.ts';
import { describeUnknown, type SourceEvidence, type SourceRead } from '../domain/source.ts';
import { digest } from '../lib/digest.ts';
import { keepSent, notKnown, type NotKnown } from '../plan/keep-sent.ts';
import { placePositions, type Placement } from '../plan/positions.ts';
import { buildTree, type UnitTree } from '../plan/tree.ts';
import { checkpoint } from './checkpoint.ts';
import type { Run } from './world.ts';

/**
 * Reads the source to its end. Units stay in memory; people stream by: whose hash the ledger holds is only marked as
 * seen, the others are staged. Throws a SourceError where the read is not, or cannot be, complete (promise 1).
 */
export async function readSource(run: Run): Promise<UnitTree> {
  const started = performance.now();
  const { staging } = run.ledger;
  staging.begin();
  const read = await run.source.open(run.stop);
  try {
    const tree = await readUnits(run, read);
    await readPositions(run, read);
    const people = await readPeople(run, read, tree);
    staging.finish();
    requireAll(run, tree, people);
    reportRead(run, { read, tree, people, ms: Math.round(performance.now() - started) });
    return tree;
  } finally {
    await read.close();
  }
}

async function readUnits(run: Run, read: SourceRead): Promise<UnitTree> {
  const units: Unit[] = [];
  const refusals: Refusal[] = [];
  for await (const batch of read.units()) {
    checkpoint(run.stop);
    for (const reading of batch) {
      if (reading.ok) units.push(reading.record);
      else refusals.push(reading.refusal);
    }
  }
  for (const refusal of refusals) refuse(run, refusal);
  const tree = buildTree({ units, refusals, root: run.sync.root });
  if (!tree.rootFound) {
    throw new SourceError(
      `source: the unit ${run.sync.root} (sync.root) is not among the ${units.length} units read, so the read is ` +
        'incomplete; correct sync.root or the base and filter of source.units',
    );
  }
  return tree;
}

function refuse(run: Run, refusal: Refusal): void {
  run.ledger.staging.refuse(refusal);
}

async function readPositions(run: Run, read: SourceRead): Promise<void> {
  for await (const batch of read.positions()) {
    checkpoint(run.stop);
    for (const row of batch) {
      if (row.ok) run.ledger.staging.positionRow(row.record);
      else refuse(run, row.refusal);
    }
  }
}

async function readPeople(run: Run, read: SourceRead, tree: UnitTree): Promise<number> {
  const stager = new PersonStager(run, tree, notKnown(read.evidence().unknown));
  let people = 0;
  run.progress.start('read', null);
  for await (const batch of read.people()) {
    checkpoint(run.stop);
    const before = people;
    // One transaction a batch: a lock for every look-up would take as long as the look-up.
    run.ledger.transaction(() => {
      for (const reading of batch) {
        stager.stage(reading);
        people += 1;
      }
    });
    run.progress.advance(people - before);
  }
  return people;
}

/** Secrets that are compared: they go out with every import, so their person is always staged. */
function comparedSecrets(secrets: Fields): Fields {
  if (!hasKeys(secrets)) return secrets;
  const specs: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => specs[name]?.creationOnly !== true));
}

function hasKeys(fields: Fields): boolean {
  for (const _ in fields) return true;
  return false;
}

class PersonStager {
  readonly #run: Run;
  readonly #tree: UnitTree;
  /** Another mapping makes every record be compared anew. */
  readonly #salt: string;
  /** A position could not be read, and not even whose it is: nobody loses one in this run. */
  readonly #lacksRows: boolean;
  readonly #notKnown: NotKnown | null;

  constructor(run: Run, tree: UnitTree, lost: NotKnown | null) {
    this.#run = run;
    this.#tree = tree;
    this.#notKnown = lost;
    this.#salt = digest(run.source.fingerprint);
    const refusals = run.ledger.staging.refusals();
    this.#lacksRows = refusals.some(({ subject, id }) => subject === 'position' && id === null);
  }

  stage(reading: Reading<Person>): void {
    if (reading.ok) this.#person(reading.record);
    else refuse(this.#run, reading.refusal);
  }

  #person(read: Person): void {
    const { staging } = this.#run.ledger;
    const known = staging.known(read.id);
    const { person, positions, problem } = this.#kept(read, this.#place(read, known === undefined));
    const compared = comparedSecrets(person.secrets);
    const hasSecrets = hasKeys(compared);
    const { id, username, active, fields } = person;
    const hash = digest(
      JSON.stringify([
        this.#salt,
        this.#run.sync.usernameChange,
        username,
        active,
        fields,
        positions,
        hasSecrets ? compared : 0,
      ]),
    );
    if (known !== undefined && known.hash === hash && !known.open && problem === null && !hasSecrets) {
      staging.seen(known.row);
      return;
    }
    const secretHash = hasSecrets ? digest(JSON.stringify([this.#salt, id, compared])) : null;
    const payload = { fields, positions };
    const reason = problem ?? (this.#lacksRows ? this.#lostPosition(id, positions) : null);
    staging.person({ id, username, active, hash, secretHash, payload, problem: reason }, person.secrets);
  }

  /** With what this read cannot know as it was sent. */
  #kept(person: Person, placed: Pick<Placement, 'positions' | 'problem'>) {
    const entry = this.#notKnown === null ? null : this.#run.ledger.people.entry(person.id);
    if (this.#notKnown === null || entry === null) return { person, ...placed };
    const desired = { fields: person.fields, positions: placed.positions };
    const { fields, positions } = keepSent(desired, entry.sent, this.#notKnown);
    const isPlaced = person.positions.length === 0 && positions.length > 0;
    return { person: { ...person, fields }, positions, problem: isPlaced ? null : placed.problem };
  }

  #lostPosition(id: string, positions: readonly PlacedPosition[]): string | null {
    const units = new Set(positions.map(({ unit }) => unit));
    const sent = this.#run.ledger.people.entry(id)?.sent.positions ?? [];
    const lost = sent.find(({ unit }) => !units.has(unit));
    if (lost === undefined) return null;
    const where = lost.unit === null ? 'at the root' : `in unit ${lost.unit}`;
    return `its position ${where} may be the row of positions whose person cannot be read: correct that row`;
  }

  #withRows({ id, positions }: Person): readonly Position[] {
    return [...positions, ...this.#run.ledger.staging.positionsOf(id).map(({ position }) => position)];
  }

  #place(person: Person, isNew: boolean) {
    const positions = this.#run.source.hasPositions ? this.#withRows(person) : person.positions;
    const placed = placePositions(positions, this.#tree);
    if (placed.orphan && isNew && this.#run.sync.orphans === 'root') {
      return { positions: [{ unit: null, fields: {} }], problem: null };
    }
    return placed;
  }
}

/** No units, people or positions where there were some: not the end of the company, but of the read. */
function requireAll(run: Run, tree: UnitTree, people: number): void {
  const { ledger } = run;
  const managed = ledger.people.counts().managed;
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  const positions = ledger.staging.counts().positions;
  const missing = [
    units > 0 && tree.nodes.size + tree.problems.size === 0
      ? `no unit, where rollcall manages ${units}`
      : null,
    managed > 0 && people === 0 ? `no person, where rollcall manages ${managed}` : null,
    managed > 0 && run.source.hasPositions && positions === 0 ? 'no row of the positions query' : null,
  ].filter((text) => text !== null);
  if (missing.length === 0) return;
  throw new SourceError(
    `source: the read brought ${missing.join(' and ')}; it is taken as incomplete and nothing is sent. ` +
      'Check base, filter and query, and the rights of the reading account',
  );
}

interface ReadReport {
  readonly read: SourceRead;
  readonly tree: UnitTree;
  readonly people: number;
  readonly ms: number;
}

function reportRead(run: Run, { read, tree, people, ms }: ReadReport): void {
  const { refused, positions } = run.ledger.staging.counts();
  const evidence = read.evidence();
  const { snapshot, referrals, parts } = evidence;
  run.evidence.source = evidence;
  const units = tree.nodes.size + tree.problems.size;
  noteUnknown(run, evidence.unknown);
  run.log.event({ event: 'source.read', units, people, positions, refused, referrals, snapshot, parts, ms });
}

/** Fields that read one of these stay as they were sent; the run ends as one that left something undone. */
function noteUnknown({ log }: Run, unknown: SourceEvidence['unknown']): void {
  if (unknown.length === 0) return;
  const attributes = unknown.map((each) => describeUnknown(each));
  log.note('warn', 'the directory does not know attributes of the configuration', { attributes });
}
