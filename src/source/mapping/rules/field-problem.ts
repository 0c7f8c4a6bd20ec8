import type { Reading, Refusal, Subject } from '../../../domain/records/records.ts';
import type { RawRecord } from '../values/raw-record.ts';

/** A field of one record that cannot be mapped. The reason never holds the value of a secret. */
export class FieldProblem extends Error {
  readonly field: string;
  readonly reason: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

const NO_SUCH_NAME = 'which the directory does not know: correct the configuration';

/**
 * A rule reads a name of which the source tells nothing: mostly a mistake of the configuration, and never one of the
 * record.
 */
export class UnknownName extends FieldProblem {
  /** @param why `which …`, where the source has the name */
  constructor(field: string, name: string, why = NO_SUCH_NAME) {
    super(field, `reads ${name}, ${why}`);
  }
}

/**
 * Returns the result of `read`; `undefined` where it reads a name that the source does not know: such a field
 * is not mapped.
 */
export function whereKnown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownName) return undefined;
    throw error;
  }
}

/** Returns the result of `read`; `null` where the value cannot be read. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FieldProblem) return null;
    throw error;
  }
}

/** The refused record, as far as it is known. */
export interface Refused extends Pick<Refusal, 'label' | 'active' | 'unitRefs'> {
  readonly subject: Subject;
  readonly id: string | null;
  readonly raw: RawRecord;
}

/** Turns an error of mapping into a refusal of this one record; anything else is a bug and is thrown on. */
export function refuse<T>(error: unknown, refused: Refused): Reading<T> {
  if (!(error instanceof FieldProblem)) throw error;
  const { field, reason } = error;
  const { raw, ...who } = refused;
  return { ok: false, refusal: { ...who, place: raw.place, field, reason } };
}
