import type { SecretSource } from '../../domain/source-settings.ts';
import { readSecret, SecretProblem } from '../../lib/read-secret.ts';
import { serviceProblem } from '../wire/problems.ts';

/** Key of the configuration that says where a token comes from. */
type TokenPlace = 'service.token' | 'service.appToken';

/** An access token: read when first needed, and again when the service says 10011. */
export class Token {
  /** Whether the token can change; one written in the configuration cannot. */
  readonly renewable: boolean;
  readonly place: TokenPlace;
  readonly #source: SecretSource;
  readonly #onRead: (token: string) => void;
  #reading: Promise<string> | null = null;

  /** @param onRead called with each token that was read, so that the log can hide it */
  constructor(
    source: SecretSource,
    onRead: (token: string) => void = () => undefined,
    place: TokenPlace = 'service.token',
  ) {
    this.place = place;
    this.#source = source;
    this.#onRead = onRead;
    this.renewable = typeof source !== 'string';
  }

  /**
   * Returns the token. Throws a ServiceError that says where it should have come from; the next call tries
   * again.
   */
  get(): Promise<string> {
    return this.#reading ?? this.#read();
  }

  /**
   * Reads the token again, unless that has happened since the refused one was read: many calls are refused
   * together.
   */
  renew(refused: Promise<string>): void {
    if (this.#reading === refused) this.#reading = null;
  }

  #read(): Promise<string> {
    const reading = readToken(this.#source, this.place);
    this.#reading = reading;
    reading.then(this.#onRead, () => {
      if (this.#reading === reading) this.#reading = null;
    });
    return reading;
  }
}

async function readToken(source: SecretSource, key: TokenPlace): Promise<string> {
  const token = await readSecret(source).catch((error: unknown) => {
    throw error instanceof SecretProblem
      ? serviceProblem('service-token-unreadable', { key, reason: error.message }, { cause: error })
      : error;
  });
  const bare = token.trim();
  if (bare === '') throw serviceProblem('service-token-empty', { key });
  // The service would refuse it without a reason.
  if (/^[[{"]/u.test(bare)) throw serviceProblem('service-token-json', { key });
  return bare;
}
