/**
 * Why a callback was refused:
 * - `unsigned`: a signature, or something that it covers, is missing from the query
 * - `forged`: a signature does not fit
 * - `stale`: the signed timestamp is too far from now
 * - `cut`: the ciphertext does not open: cut, changed, or made with other settings or for another application
 * - `notJson`: the body is not what the interface calls a callback
 * - `settings`: the own settings are wrong, or do not accept this kind of callback
 */
export type CallbackErrorKind = 'unsigned' | 'forged' | 'stale' | 'cut' | 'notJson' | 'settings';

/**
 * A callback that must not be used (interface, section Events), with a sentence for the administrator: place,
 * what is wrong, what to do. The sentence never holds the token, the key, or anything that the sender wrote.
 * There is no `cause`, because an error of the JSON parser quotes the text. The sender should learn neither
 * the kind nor the sentence.
 */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  readonly kind: CallbackErrorKind;

  constructor(kind: CallbackErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Returns the error for a query in which something is missing, or given twice. */
export function unsigned(what: string): CallbackError {
  return new CallbackError(
    'unsigned',
    `Callback query: ${what}. It did not come from the service, or was changed on its way.`,
  );
}

/** Returns the error for own settings that are wrong, with what to do. */
export function wrongSettings(what: string): CallbackError {
  return new CallbackError('settings', `Callback settings: ${what}.`);
}
