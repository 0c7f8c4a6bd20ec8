import { createHash, timingSafeEqual } from 'node:crypto';
import { CallbackError } from './callback-error.ts';

type SignatureKind = 'sha1' | 'sha256';

/** The four strings under a signature (interface, section Events, signing rules). */
export interface SignedText {
  readonly token: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** `message` in plaintext mode, otherwise `encrypt`, as it came: before any decoding. */
  readonly echo: string;
}

/** What the query says. */
interface ReceivedSignatures {
  readonly signature: string;
  /** `null`: not given. */
  readonly signature256: string | null;
}

const HEX: Readonly<Record<SignatureKind, RegExp>> = { sha1: /^[\da-f]{40}$/iu, sha256: /^[\da-f]{64}$/iu };

/**
 * Returns the signature of section Events as lower-case hex: the digest of the four strings, sorted and joined with
 * nothing between. Sorted by UTF-16 code units, as Java and JavaScript compare strings: capitals come before small
 * letters, and a string before a longer one that it begins.
 */
export function sign(kind: SignatureKind, text: SignedText): string {
  return digestOf(kind, text).toString('hex');
}

/**
 * Throws a CallbackError `forged` where `signature`, or `signature256` where it is given, does not fit (section Events);
 * one that fits does not make up for one that does not. Compares in constant time; hex may be in capitals.
 *
 * A signature covers the joined text, not where one string ends and the next begins: the same signature holds with
 * the timestamp and the nonce exchanged. What is read from them has to have a strict form.
 */
export function verify(text: SignedText, { signature, signature256 }: ReceivedSignatures): void {
  const sha1 = fits('sha1', text, signature);
  const sha256 = signature256 === null || fits('sha256', text, signature256);
  if (sha1 && sha256) return;
  throw new CallbackError(
    'forged',
    `Callback query: \`${sha1 ? 'signature256' : 'signature'}\` does not fit what was sent. ` +
      'If it came from the service, check that the token of the settings is the one entered there.',
  );
}

function digestOf(kind: SignatureKind, { token, timestamp, nonce, echo }: SignedText): Buffer {
  const joined = [token, timestamp, nonce, echo].toSorted().join('');
  return createHash(kind).update(joined, 'utf8').digest();
}

function fits(kind: SignatureKind, text: SignedText, received: string): boolean {
  return HEX[kind].test(received) && timingSafeEqual(digestOf(kind, text), Buffer.from(received, 'hex'));
}
