import { fieldsIn, readBody, type CallbackFields } from './callback-body.ts';
import { CallbackError, unsigned, wrongSettings } from './callback-error.ts';
import { checkCipherSettings, decrypt, type CipherSettings } from './cipher.ts';
import { verify } from './signature.ts';
import type { ApprovalCallback, CallbackMode } from '../domain/settings.ts';

type CallbackSettings = Pick<ApprovalCallback, 'token' | 'mode' | 'key' | 'applicationId'>;

export interface CallbackRequest {
  readonly query: URLSearchParams;
  /** The body as it came; its size is for the caller to limit. */
  readonly body: string | Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface OpenedCallback {
  readonly mode: CallbackMode;
  /** The signed text: `message` in plaintext mode, otherwise what was in `encrypt`. */
  readonly message: string;
  /** Fields of the signed message, to be acted on; `null` where it is not a JSON object. */
  readonly fields: CallbackFields | null;
}

/** Seconds that the timestamp may be away from now, before or after. */
const TOLERANCE_SECONDS = 300;

/** Throws a CallbackError `settings` where no callback could be opened with these settings: for the start. */
export function checkCallbackSettings(settings: CallbackSettings): void {
  if (settings.token.trim() === '') {
    throw wrongSettings('the token is empty, so anybody could sign. Enter the one of the service');
  }
  if (settings.mode !== 'plain' || settings.key !== undefined) checkCipherSettings(cipherOf(settings));
}

/**
 * Returns a callback of section Events once it is known to come from the service. Checked in this order:
 * query and body are complete; the signatures hold over `message` in plaintext mode, over `encrypt`
 * otherwise; the settings accept the mode; the timestamp is near now; the ciphertext opens and names this
 * application. A sender without the token fails at the signatures.
 *
 * In compatible mode only the decrypted text is used. No signature covers the `message` that comes with it,
 * which is ignored and not even compared: the document does not promise that both are the same text.
 *
 * Nonces are not remembered: within the tolerance the same callback opens again. A caller that must not act
 * twice has to keep the messages for twice the tolerance, since a timestamp may lie ahead of now.
 *
 * Throws a CallbackError, whose kind and sentence are for the administrator and not for the sender.
 */
export function openCallback(
  settings: CallbackSettings,
  { query, body, now }: CallbackRequest,
): OpenedCallback {
  const [timestamp, nonce] = [required(query, 'timestamp'), required(query, 'nonce')];
  const { mode, echo } = readBody(body);
  verify(
    { token: settings.token, timestamp, nonce, echo },
    { signature: required(query, 'signature'), signature256: valueOf(query, 'signature256') },
  );
  if (settings.mode !== mode) {
    throw wrongSettings(
      `a signed callback came in ${mode} mode, which is not accepted. Accept it, or change the service`,
    );
  }
  requireFresh(timestamp, now);
  const message = mode === 'plain' ? echo : decrypt(cipherOf(settings), echo);
  return { mode, message, fields: fieldsIn(message) };
}

function cipherOf({ key, applicationId }: CallbackSettings): CipherSettings {
  if (key !== undefined && applicationId !== undefined) return { key, applicationId };
  throw wrongSettings(
    'safe and compatible mode need an AES key and an application id. Enter them, or accept only plain',
  );
}

function valueOf(query: URLSearchParams, name: string): string | null {
  const [value = '', ...more] = query.getAll(name);
  if (more.length > 0) throw unsigned(`\`${name}\` is given more than once`);
  return value === '' ? null : value;
}

function required(query: URLSearchParams, name: string): string {
  const value = valueOf(query, name);
  if (value === null) throw unsigned(`\`${name}\` is missing, and it is required`);
  return value;
}

function requireFresh(timestamp: string, now: number): void {
  if (!/^(?:\d{10}|\d{13})$/u.test(timestamp)) {
    throw new CallbackError(
      'stale',
      'Callback query: `timestamp` is neither seconds (10 digits) nor milliseconds (13 digits) since 1970. ' +
        'Look at what stands between the service and this address.',
    );
  }
  const sentAt = Number(timestamp) * (timestamp.length === 10 ? 1000 : 1);
  const seconds = Math.abs(now - sentAt) / 1000;
  if (seconds <= TOLERANCE_SECONDS) return;
  throw new CallbackError(
    'stale',
    `Callback query: \`timestamp\` is ${Math.ceil(seconds)} s ${sentAt < now ? 'before' : 'after'} now, more than the ` +
      `tolerance of ${TOLERANCE_SECONDS} s. It was sent again, or a clock is wrong: compare the clocks of both sides.`,
  );
}
