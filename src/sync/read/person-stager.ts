import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { PERSON_FIELDS, type FieldSpec, type Fields } from '../../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { Replay } from '../../domain/ports/source-records.ts';
import type { KnownPerson, SeenAs, StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { KeyedReading } from '../../domain/reading/increment.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { Loss, Person, PositionRow, Print } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import { isCompared } from '../../plan/values/compare.ts';
import { alsoLost, keepSent, lostOfAll, PLACES } from '../../plan/values/keep-sent.ts';
import {
  hasChoice,
  mayMean,
  placePositions,
  withChoice,
  type Placement,
} from '../../plan/people/positions.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { recognizerOf, type Recognizer } from './recognizer.ts';
import type { Run } from '../state/world.ts';
import type { RecordNotes, NotedRecord } from './record-notes.ts';
import type { UnitsRead } from './places/read-units.ts';
import { unclaimedUnits, withKept, type PlacedPerson, type Unclaimed } from './places/unclaimed-units.ts';
import type { People } from '../../domain/ports/ledger/people.ts';

/** Returns the secrets that are compared. They go out with every import, so their person is always staged. */
function comparedSecrets(secrets: Fields): Fields {
  if (!hasKeys(secrets)) return secrets;
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => isCompared(name)));
}

/** Returns whether a field that cannot be read is a secret that is compared. The ledger has only a hash of what was sent. */
function isSecret(field: string): boolean {
  const specs: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;
  const name = field.split('.')[0] ?? '';
  return specs[name]?.secret === true && isCompared(name);
}

function hasKeys(fields: Fields): boolean {
  for (const _ in fields) return true;
  return false;
}

/** Returns whether every run reports something about the record, so that every run has to decode it. */
const isReportedEachTime = ({ isProtected }: Person, { losses }: PlacedPerson): boolean =>
  losses.length > 0 || isProtected === true;

const NO_LOSS: readonly Loss[] = [];
const ROOT: readonly PlacedPosition[] = [{ unit: null, fields: {} }];

/** What should be sent for the record. */
interface WantedPerson extends PersonPayload {
  readonly problem: string | null;
  /** Hash of the secrets as they were sent, if one of them cannot be read. */
  readonly secretHash: string | null;
}

/** Where people are placed: the units that were read, and what tells these and the rows of positions from others. */
export interface PlacesRead extends Pick<UnitsRead, 'tree'> {
  readonly rows: string;
  /** What tells where refs lead, see `followPlaces`. */
  readonly places: string;
  /** Takes what the next read can begin with; absent: that is not wanted. */
  readonly notes?: RecordNotes | undefined;
}

/** Stages people as they are read. A person whose hash the ledger holds is only marked as seen. */
export class PersonStager {
  readonly #run: Run;
  readonly #tree: UnitTree;
  /** Goes into every hash: with another mapping every record is compared anew. */
  readonly #salt: string;
  /** Units that may have people about whom this read says nothing. */
  readonly #unclaimed: Unclaimed;
  /** What this read cannot know about any person. */
  readonly #lost: ReadonlySet<string>;
  readonly #notes: RecordNotes | undefined;
  #homeless = 0;

  /** Recognizes people before their records are decoded; absent: all records have to be decoded. */
  readonly recognizer: Recognizer | undefined;

  /** @param evidence of the read so far: units and groups are read before people */
  constructor(run: Run, places: PlacesRead, evidence: SourceEvidence) {
    const { tree, notes } = places;
    this.#run = run;
    this.#notes = notes;
    this.#tree = tree;
    this.#lost = lostOfAll(evidence.unknown);
    this.#salt = digest(run.source.fingerprint);
    this.#unclaimed = unclaimedUnits(run.ledger, tree);
    if (this.#lost.size === 0 && this.#unclaimed.size === 0)
      this.recognizer = recognizerOf(run, { ...places, mapping: this.#salt }, notes);
  }

  /** How many people without a known unit go to the root, as a sentence; those who are recognized are not counted. */
  get notes(): readonly string[] {
    const n = this.#homeless;
    return n === 0
      ? []
      : [
          `${n} new or changed ${n === 1 ? 'person names' : 'people name'} no known unit: to the root (sync.orphans)`,
        ];
  }

  /** Returns whether the record is in scope. */
  stage(reading: KeyedReading): boolean {
    if (isNeedless(this.#run.ledger, reading)) return false;
    const noted = reading.ok ? this.#record(reading) : this.#refused(reading);
    this.#notes?.note(reading.key, noted);
    return !reading.ok || reading.record.outOfScope === undefined;
  }

  /** Stages what an unchanged record comes to. Returns whether the record is in scope. */
  replay(replay: Replay, print: Print): boolean {
    const { staging } = this.#run.ledger;
    if ('out' in replay) {
      if (replay.out === '') return false;
      staging.note({ is: 'leftOut', id: replay.out, has: replay.has ?? null });
      return false;
    }
    const { inactive } = replay;
    this.#staged({ ...inactive, print }, staging.known(inactive.id), {});
    return true;
  }

  #refused({ refusal, has }: Extract<KeyedReading, { readonly ok: false }>): NotedRecord | undefined {
    this.#run.ledger.staging.note({ is: 'refused', refusal, has });
    return undefined;
  }

  #record(reading: Extract<KeyedReading, { readonly ok: true }>): NotedRecord {
    const { staging } = this.#run.ledger;
    const { record, print = null, has = null, broughtBy } = reading;
    const { id, isProtected, outOfScope } = record;
    if (isProtected === true && id !== '') staging.note({ is: 'protected', id });
    if (outOfScope === undefined) return this.#person(record, { print, has, broughtBy });
    if (id !== '') staging.note({ is: 'leftOut', id, has });
    return { print, replay: print === null || isProtected === true ? null : { out: id, has } };
  }

  #person(mapped: Person, { print, has, broughtBy }: SeenAs): NotedRecord {
    const read = this.#withSent(mapped);
    const { staging } = this.#run.ledger;
    const { id, username, active } = read;
    const known = staging.known(id);
    const compared = comparedSecrets(read.secrets);
    const hasSecrets = hasKeys(compared);
    const ownHash = hasSecrets ? this.#secretHash(id, compared) : null;
    const placed = this.#place(read);
    this.#tell(read, placed.losses);
    const wanted = this.#wanted(read, placed, known !== undefined);
    const { fields, positions, secretHash: sentHash } = wanted;
    const problem = whyUnknown(read) ?? wanted.problem;
    const parts = [username, active, fields, positions, ownHash ?? 0];
    const hash = digest(JSON.stringify([this.#salt, ...parts]));
    const isPlain = problem === null && !hasSecrets;
    const recognizedBy = isPlain && !isReportedEachTime(read, placed) ? print : null;
    const payload = { fields, positions };
    const secretHash = sentHash ?? ownHash;
    const own = { id, username, active, hash, secretHash, payload, problem };
    const staged = { print: recognizedBy, has, broughtBy, ...own };
    this.#staged(staged, isPlain ? known : undefined, read.secrets);
    const isReplayed = recognizedBy !== null && active === false;
    // What is in a print without a key could be found by trying: no secret.
    return { print: hasSecrets ? null : print, replay: isReplayed ? { inactive: { ...own, has } } : null };
  }

  /** Stages a person, who is only marked as seen if the ledger knows them as they are. */
  #staged(staged: StagedPerson, known: KnownPerson | undefined, secrets: Fields): void {
    const { staging } = this.#run.ledger;
    const isSame = known !== undefined && known.hash === staged.hash && !known.open;
    const { print = null, has = null, broughtBy = null } = staged;
    if (isSame) staging.seen(known.row, { print, has, broughtBy });
    else staging.person(staged, secrets);
  }

  /** Returns the record with what was sent, if that is one of several values that it has. */
  #withSent(read: Person): Person {
    const entry = hasChoice(read) ? this.#run.ledger.people.entry(read.id) : null;
    return entry === null ? read : withChoice(read, entry, this.#tree);
  }

  /**
   * Returns the keyed hash of the compared secrets. They are few and short: without the ledger's key they could be
   * found by trying.
   */
  #secretHash(id: string, compared: Fields): string {
    return this.#run.ledger.keyed(JSON.stringify([id, compared]));
  }

  /** Lists what was lost, except for people who have left: nothing else of their records is needed. */
  #tell({ id, username, active }: Person, losses: readonly Loss[]): void {
    if (active === false) return;
    const whose = { subject: 'person', id, label: username } as const;
    for (const loss of losses) this.#run.ledger.staging.note({ is: 'lost', loss: { ...whose, ...loss } });
  }

  /** Returns what should be sent. What this read cannot know stays as it was sent. */
  #wanted({ id, fields, positions: named }: Person, placed: PlacedPerson, isKnown: boolean): WantedPerson {
    const { positions, problem, losses } = placed;
    const lost = alsoLost(this.#lost, losses);
    const entry = lost.size === 0 || !isKnown ? null : this.#run.ledger.people.entry(id);
    if (entry === null) return { fields, positions, problem, secretHash: null };
    const kept = keepSent({ fields, positions }, entry.sent, lost);
    const isPlaced = lost.has(PLACES) && named.length === 0 && kept.positions.length > 0;
    const secretHash = [...lost].some(isSecret) ? entry.secretHash : null;
    return { ...kept, problem: isPlaced ? null : problem, secretHash };
  }

  #rowsOf({ id }: Person): readonly PositionRow[] {
    return this.#run.source.hasPositions ? this.#run.ledger.staging.positionsOf(id) : [];
  }

  #place(person: Person): PlacedPerson {
    const rows = this.#rowsOf(person);
    const own = person.losses ?? NO_LOSS;
    const ofRows = rows.flatMap(({ losses }) => losses ?? NO_LOSS);
    const losses = ofRows.length === 0 ? own : [...own, ...ofRows];
    const positions = [...person.positions, ...rows.map(({ position }) => position)];
    const placed = placePositions(positions, this.#tree);
    const isWhole = placed.lost === null && this.#unclaimed.size === 0;
    const kept = isWhole ? [] : this.#keptPlaces(person.id, placed);
    if (kept.length > 0 || placed.lost !== null) return withKept(placed, kept, losses, this.#unclaimed);
    return placed.orphan && this.#isHomeAtRoot() ? this.#atRoot(person, losses) : { losses, ...placed };
  }

  #atRoot({ active }: Person, losses: readonly Loss[]): PlacedPerson {
    if (active !== false) this.#homeless += 1;
    return { positions: ROOT, problem: null, losses };
  }

  /**
   * Returns whether people without a known unit belong at the root. They do not if a mistake in the
   * configuration hides the units of all people.
   */
  #isHomeAtRoot(): boolean {
    return this.#run.sync.orphans === 'root' && !this.#lost.has(PLACES);
  }

  /**
   * Returns the positions sent before that this read cannot confirm or deny: a row or a group is unreadable, or a
   * reference that cannot be used may mean the unit. A reference that means none stops only itself (promise 5).
   */
  #keptPlaces(id: string, { positions, unusable = [] }: Placement): readonly PlacedPosition[] {
    const isMeant = mayMean(unusable, this.#tree);
    const units = new Set(positions.map(({ unit }) => unit));
    const sent = this.#run.ledger.people.entry(id)?.sent.positions ?? [];
    return sent
      .filter(({ unit }) => (isMeant(unit) || this.#unclaimed.has(unit)) && !units.has(unit))
      .map(({ unit, fields }) => ({ unit, fields: { ...fields, primary: false } }));
  }
}

/** Returns why it is unknown whether the person is active, if the source says so. */
function whyUnknown({ active, whyUnknown: why }: Person): string | null {
  return active !== null || why === undefined ? null : `the rule for active could not be evaluated: ${why}`;
}

/** Returns whether the record changes nothing, given what the ledger knows. */
function isNeedless(ledger: Ledger, reading: KeyedReading): boolean {
  return reading.ok ? leftWithPartner(ledger, reading) : isUnknownPerson(ledger.people, reading);
}

/**
 * Returns whether an unusable record can be ignored. This is so if it only matters for people of ours, and
 * the person is none. It is also so if it lacks its partner, rollcall has disabled the person, and the record itself does
 * not say that they are active.
 */
function isUnknownPerson(
  people: People,
  { refusal }: Extract<KeyedReading, { readonly ok: false }>,
): boolean {
  const { ifOurs, lacksPartner, id, active } = refusal;
  if (ifOurs !== true && lacksPartner !== true) return false;
  const state = id === null ? null : (people.entry(id)?.state ?? null);
  return ifOurs === true ? state === null || state === 'removed' : state === 'disabled' && active !== true;
}

/**
 * Returns whether the record is that of a person that rollcall disabled while another source had a record of
 * them, and that other record is gone. Then this record does not show that they are back: they count as
 * missing.
 */
function leftWithPartner(
  { people, seen }: Run['ledger'],
  { record: { id }, lacksPartner }: Extract<KeyedReading, { readonly ok: true }>,
): boolean {
  if (lacksPartner === undefined || people.entry(id)?.state !== 'disabled') return false;
  const { has = {} } = seen.person(id).before ?? {};
  return lacksPartner.some((name) => name in has);
}
