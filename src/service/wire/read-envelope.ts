import { isObject, type WireObject } from './decode.ts';
import { parseLossless } from '../../lib/parse-lossless.ts';

/** Envelope of an answer (interface, convention 4). */
export interface Envelope {
  readonly status: number;
  readonly message: string;
  readonly result: unknown;
}

/** What a body without an envelope is, for the sentence about it. */
export type BodyKind =
  | 'nothing'
  | 'HTML'
  | 'JSON without a status'
  | 'JSON that is nested too deeply'
  | 'JSON that is cut off or broken'
  | 'text';

/** Arrays and objects in one another: more than any tree of organizations has, and few enough for every reader. */
const MOST_LEVELS = 1_000;

/** Returns the envelope in a body, or what the body is instead. An envelope has an integer `status`. */
export function readEnvelope(body: string): Envelope | BodyKind {
  const start = body.trimStart();
  if (start === '') return 'nothing';
  if (start.startsWith('<')) return 'HTML';
  try {
    return envelopeOf(parseLossless(body));
  } catch {
    return /^[\uFEFF]?[[{]/.test(start) ? 'JSON that is cut off or broken' : 'text';
  }
}

function envelopeOf(value: unknown): Envelope | BodyKind {
  if (!isObject(value) || !Number.isSafeInteger(value['status'])) return 'JSON without a status';
  if (isDeeper(value, MOST_LEVELS)) return 'JSON that is nested too deeply';
  const { status, message, result } = value;
  return { status: status as number, message: typeof message === 'string' ? message : '', result };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper((value as WireObject)[name], levels - 1)) return true;
  return false;
}
