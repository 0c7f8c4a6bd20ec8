import type { Spot } from '../../domain/records/recognition.ts';

/** Returns the bytes of a spot: they take two thirds of the text. */
export const bytesOfSpot = (spot: Spot): Buffer => Buffer.from(spot, 'base64url');

/** Returns the spot of bytes of the ledger; the empty text where there are none. */
export const spotOfBytes = (bytes: unknown): Spot =>
  Buffer.isBuffer(bytes) ? bytes.toString('base64url') : '';
