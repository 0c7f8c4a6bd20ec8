import { randomBytes } from 'node:crypto';
import { SandboxOptionError } from '../options/sandbox-option-error.ts';
import { encrypt, signature, type CallbackSecrets } from './encrypt.ts';

export interface CallbackOptions extends Partial<CallbackSecrets> {
  /** Address of the developer. */
  readonly url: string;
  readonly mode?: 'plain' | 'safe' | 'compatible' | undefined;
}

/** A message or an event that reaches the application (interface: Events). */
export interface CallbackMessage {
  readonly msg_type: string;
  readonly from_user_name: string;
  readonly content?: string;
  readonly event?: string;
  readonly event_key?: string;
}

/** What became of a callback; `http` is absent where nobody answered. */
export interface SentCallback {
  readonly message: CallbackMessage;
  readonly http?: number;
  readonly reply?: string;
  readonly problem?: string;
}

const SECRETS: CallbackSecrets = {
  token: 'sandbox-callback-token',
  key: 'sandboxsandboxsandboxsandboxsandboxsandbox0',
  applicationId: 'sandbox-app',
};
const SECONDS = 5;

/** Sends callbacks to the developer's address, and keeps what became of them; a failure is never fatal. */
export class Callbacks {
  readonly sent: SentCallback[] = [];
  /** Called with what became of each. */
  onSent: (sent: SentCallback) => void = () => undefined;
  readonly #options: CallbackOptions | undefined;
  readonly #now: () => number;

  /** Throws SandboxOptionError for an address or a key that cannot be used. */
  constructor(options: CallbackOptions | undefined, now: () => number) {
    this.#options = options;
    this.#now = now;
    if (options === undefined) return;
    if (!/^https?:\/\//u.test(options.url) || !URL.canParse(options.url)) {
      throw new SandboxOptionError(`The callback address ${options.url} is no http address.`);
    }
    const { key = SECRETS.key } = options;
    if (!/^[A-Za-z0-9+/]{43}$/u.test(key)) {
      throw new SandboxOptionError(`The callback key has ${key.length} characters; it needs 43 of base64.`);
    }
  }

  /** Sends a callback; resolves with what became of it. */
  async send(message: CallbackMessage): Promise<SentCallback> {
    const sent = { message, ...(await this.#post(message)) };
    this.sent.push(sent);
    this.onSent(sent);
    return sent;
  }

  get wanted(): boolean {
    return this.#options !== undefined;
  }

  async #post(message: CallbackMessage): Promise<Omit<SentCallback, 'message'>> {
    if (this.#options === undefined) return { problem: 'there is no callback address' };
    const { url, body } = this.#request(this.#options, message);
    try {
      const headers = { 'Content-Type': 'application/json' };
      const signal = AbortSignal.timeout(SECONDS * 1000);
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      return { http: response.status, reply: await response.text() };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  #request(options: CallbackOptions, message: CallbackMessage): { readonly url: URL; readonly body: string } {
    const { mode = 'safe', token = SECRETS.token, key = SECRETS.key } = options;
    const { applicationId = SECRETS.applicationId } = options;
    const time = this.#now();
    const all = { ...message, to_user_name: applicationId, create_time: String(time) };
    const plain = JSON.stringify(all);
    const encrypted = mode === 'plain' ? undefined : encrypt(plain, { key, applicationId });
    const timestamp = String(time);
    const nonce = randomBytes(8).toString('hex');
    const parts = [token, timestamp, nonce, encrypted ?? plain];
    const url = new URL(options.url);
    url.searchParams.set('signature', signature('sha1', parts));
    url.searchParams.set('signature256', signature('sha256', parts));
    url.searchParams.set('timestamp', timestamp);
    url.searchParams.set('nonce', nonce);
    const open = mode === 'safe' ? {} : { message: plain, ...all };
    const body = { ...open, encrypt: encrypted };
    return { url, body: JSON.stringify(body) };
  }
}
