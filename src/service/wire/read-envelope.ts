import { isObject } from './decode.ts';
import { parseLossless } from '../../lib/parse-lossless.ts';

/** Envelope of an answer (interface, convention 4). */
export interface Envelope {
  readonly status: number;
  readonly message: string;
  readonly result: unknown;
}

/** What a body without an envelope is, for the sentence about it. */
export type BodyKind =
  'nothing' | 'HTML' | 'JSON without a status' | 'JSON that is cut off or broken' | 'text';

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
  const { status, message, result } = value;
  return { status: status as number, message: typeof message === 'string' ? message : '', result };
}
