import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { Backend } from './backend.ts';
import { SandboxOptionError } from '../options/settings.ts';

/** Where callbacks go, and what the sandbox and the developer have agreed on (interface: Events). */
export interface CallbackOptions {
  /** Address of the developer. */
  readonly url: string;
  readonly mode?: 'plain' | 'safe' | 'compatible' | undefined;
  readonly token?: string | undefined;
  /** 43 characters of base64, which with `=` are the 32 bytes of the AES key. */
  readonly key?: string | undefined;
  readonly applicationId?: string | undefined;
}

/** A message or an event that reaches the application (interface: Events). */
export interface CallbackMessage {
  readonly msg_type: string;
  readonly from_user_name: string;
  readonly content?: string;
  readonly media_id?: string;
  /** Fields of `msg_body` besides those that follow from the message. */
  readonly msg_body?: Readonly<Record<string, unknown>>;
  readonly event?: string;
  readonly event_key?: string;
}

/** The result of a callback; `http` is absent if no answer came. */
export interface SentCallback {
  readonly message: CallbackMessage;
  readonly http?: number;
  readonly reply?: string;
  readonly problem?: string;
}

const TOKEN = 'sandbox-callback-token';
const KEY = 'sandboxsandboxsandboxsandboxsandboxsandbox0';
const SECONDS = 5;

/** Number of callbacks that are kept: a load of a large company sends many. */
const MOST_CALLBACKS = 1000;

/** Throws SandboxOptionError for an address or a key that cannot be used. */
export function checkCallback({ url, key = KEY }: CallbackOptions): void {
  if (!/^https?:\/\//u.test(url) || !URL.canParse(url)) {
    throw new SandboxOptionError(`The callback address ${url} is no http address.`);
  }
  if (!/^[A-Za-z0-9+/]{43}$/u.test(key)) {
    throw new SandboxOptionError(`The callback key has ${key.length} characters; it needs 43 of base64.`);
  }
}

/** Sends callbacks to the developer's address, and keeps what became of them; a failure is never fatal. */
export class Callbacks {
  /** The newest 1,000. */
  readonly sent: SentCallback[] = [];
  readonly #options: CallbackOptions | undefined;
  readonly #backend: Backend;
  readonly #onSent: (sent: SentCallback) => void;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<SentCallback>>();

  constructor(options: CallbackOptions | undefined, backend: Backend, onSent: (sent: SentCallback) => void) {
    this.#options = options;
    this.#backend = backend;
    this.#onSent = onSent;
  }

  get isConfigured(): boolean {
    return this.#options !== undefined;
  }

  /** Sends a callback; resolves with what became of it. */
  async send(message: CallbackMessage): Promise<SentCallback> {
    const sending = this.#send(message);
    this.#underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(sending);
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('the sandbox was closed'));
    await Promise.allSettled(this.#underWay);
  }

  async #send(message: CallbackMessage): Promise<SentCallback> {
    const sent = { message, ...(await this.#post(message)) };
    this.sent.push(sent);
    if (this.sent.length > MOST_CALLBACKS) this.sent.shift();
    this.#onSent(sent);
    return sent;
  }

  async #post(message: CallbackMessage): Promise<Omit<SentCallback, 'message'>> {
    if (this.#options === undefined) return { problem: 'there is no callback address' };
    const { url, body } = requestOf(this.#options, this.#backend, message);
    try {
      const headers = { 'Content-Type': 'application/json' };
      const signal = AbortSignal.any([AbortSignal.timeout(SECONDS * 1000), this.#ending.signal]);
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      return { http: response.status, reply: await response.text() };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

interface SignedRequest {
  readonly url: URL;
  readonly body: string;
}

function requestOf(options: CallbackOptions, backend: Backend, message: CallbackMessage): SignedRequest {
  const { mode = 'safe', token = TOKEN, key = KEY } = options;
  const { applicationId, now } = backend.options;
  const [time, nonce] = [now(), randomBytes(8).toString('hex')];
  const text = JSON.stringify(formatted(backend, message, time));
  const encrypted = mode === 'plain' ? undefined : encrypt(text, key, applicationId);
  const signed = [token, String(time), nonce, encrypted ?? text];
  const url = new URL(options.url);
  url.searchParams.set('signature', signature('sha1', signed));
  url.searchParams.set('signature256', signature('sha256', signed));
  url.searchParams.set('timestamp', String(time));
  url.searchParams.set('nonce', nonce);
  const { msg_body: _, ...fields } = message;
  const envelope = { ...fields, to_user_name: applicationId, create_time: String(time) };
  const open = mode === 'safe' ? {} : { message: text, ...envelope };
  return { url, body: JSON.stringify({ ...open, encrypt: encrypted }) };
}

/** Returns a message as "formatted plaintext messages" are (interface: Events). */
function formatted({ options, world }: Backend, message: CallbackMessage, time: number): object {
  const { identity, applicationId } = options;
  const { domainId } = identity;
  const { content, media_id, msg_body, ...rest } = message;
  const media = media_id === undefined ? {} : { media_id, media_domain: domainId };
  return {
    msg_time: time,
    create_time: time,
    from_domain: domainId,
    to_domain: domainId,
    from_user: world.users.byUsername(message.from_user_name)?.id ?? '',
    to_user: applicationId,
    to_user_name: applicationId,
    ...rest,
    content,
    media_id,
    msg_body: { content, ...media, ...msg_body },
  };
}

const BLOCK = 32;

/**
 * Returns Base64(AES-256-CBC(16 random bytes, length in network byte order, message, application identifier)), with
 * the first 16 bytes of the key as the IV and PKCS#7 up to 32 bytes: one reading of what the interface leaves open.
 */
function encrypt(message: string, key: string, applicationId: string): string {
  const secret = Buffer.from(`${key}=`, 'base64');
  const text = Buffer.from(message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const plain = Buffer.concat([randomBytes(16), length, text, Buffer.from(applicationId)]);
  const missing = BLOCK - (plain.length % BLOCK);
  const padded = Buffer.concat([plain, Buffer.alloc(missing, missing)]);
  const cipher = createCipheriv('aes-256-cbc', secret, secret.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64');
}

/** Returns a signature: the hash of the four strings in ascending order (interface: Events, Signing rules). */
function signature(hash: 'sha1' | 'sha256', parts: readonly string[]): string {
  return createHash(hash)
    .update(parts.toSorted((one, other) => (one < other ? -1 : 1)).join(''))
    .digest('hex');
}
