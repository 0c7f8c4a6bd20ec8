import type { REASONS } from './reasons.ts';

/** A record of the source. */
export interface Key {
  readonly subject: 'unit' | 'person';
  readonly id: string;
}

export type ReasonCode = keyof typeof REASONS;

/** Why something is as it is: data, which `domain/words` says. Decisions compare codes, and erasing goes by `refs`. */
export interface Reason {
  readonly code: ReasonCode;
  /** Other records that it is about. */
  readonly refs?: readonly Key[];
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Returns a reason about a unit; `null`: the root. */
export function ofUnit(code: ReasonCode, id: string | null, values: Reason['values'] = {}): Reason {
  return { code, refs: id === null ? [] : [{ subject: 'unit', id }], values };
}
