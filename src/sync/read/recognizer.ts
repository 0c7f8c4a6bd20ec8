import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Print, Recognition } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import { decidingRules } from '../state/deciding-rules.ts';
import type { Run } from '../state/world.ts';
import type { RecordNotes } from './record-notes.ts';

/** A higher number makes every record be decoded once: for changes of what records are mapped to, or kept of them. */
const VERSION = 4;

/** What the result of a person's record depends on besides the record itself. */
export interface Dependences {
  /** What tells where refs lead, see `followPlaces`. */
  readonly places: string;
  /** What tells the rows of positions from others. */
  readonly rows: string;
  /** The mapping, and what names of properties mean. */
  readonly mapping: string;
}

/** Recognizes people before their records are decoded, and counts them. */
export class Recognizer implements Recognition {
  readonly salt: string;
  /** The salt, and where refs lead: an increment is added only to a read for which both were the same. */
  readonly basis: string;
  readonly #run: Run;
  readonly #notes: RecordNotes | undefined;
  #count = 0;

  constructor(run: Run, { salt, basis }: Pick<Recognizer, 'salt' | 'basis'>, notes?: RecordNotes) {
    this.#run = run;
    this.salt = salt;
    this.basis = basis;
    this.#notes = notes;
  }

  /** Number of people who were recognized so far. */
  get count(): number {
    return this.#count;
  }

  areKnown(prints: readonly (Print | null)[], keys: readonly (RecordKey | null)[] = []): readonly boolean[] {
    // A full run decodes all records, so that it finds records that were recognized wrongly.
    if (this.#run.full) return prints.map(() => false);
    const { ledger } = this.#run;
    return ledger.transaction(() => {
      const known = ledger.staging.recognize(prints);
      for (const [at, isKnown] of known.entries()) {
        if (!isKnown) continue;
        this.#count += 1;
        this.#notes?.note(keys[at] ?? undefined, { print: prints[at] ?? null, replay: null });
      }
      return known;
    });
  }
}

/**
 * Returns what recognizes people by their records and by everything else that decides what becomes of these;
 * `undefined`: something decides that no text has.
 */
export function recognizerOf(
  run: Run,
  { places, rows, mapping }: Dependences,
  notes?: RecordNotes,
): Recognizer | undefined {
  const { source } = run;
  if (source.alsoDecides === null) return undefined;
  const all = [VERSION, mapping, source.alsoDecides, source.asks, decidingRules(run.source, run.sync), rows];
  const salt = digest(JSON.stringify(all));
  return new Recognizer(run, { salt, basis: digest(salt + places) }, notes);
}
