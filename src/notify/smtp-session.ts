import { Readable } from 'node:stream';
import SmtpConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection';
import { RollcallError } from '../domain/errors.ts';
import type { EmailSettings } from '../domain/settings.ts';
import { hideAll, spellingsOf } from '../domain/text/hide.ts';
import { isLoopback } from '../domain/text/loopback.ts';
import { readTlsFiles } from '../lib/http/tls-files.ts';
import { doubtful, noConnection, unsent } from './channel-problems.ts';
import { endpointOf } from './endpoint.ts';

/** Longest silence of the server, ms. */
const SILENCE_MS = 10_000;
/** Milliseconds that the server has to say goodbye. */
const GOODBYE_MS = 1_000;
const REMEDY = 'give the certificate of its authority as caFile';

/** A conversation with an SMTP server. It ends at once when the signal is aborted. */
export class SmtpSession {
  readonly #at: string;
  readonly #user: string;
  readonly #password: string;
  readonly #connection: InstanceType<typeof SmtpConnection>;
  readonly #broken: Promise<never>;
  /** Whether the server may have the whole message. */
  #isSending = false;
  #isWell = false;

  /** Throws a NotifyError if `caFile` cannot be used. */
  constructor({ url, startTls, caFile }: EmailSettings, signal: AbortSignal) {
    const address = new URL(url);
    const secure = address.protocol === 'smtps:';
    const { host, port, at } = endpointOf(address, secure ? 465 : 587);
    const isEncrypted = startTls ?? !isLoopback(host);
    const tls = readTlsFiles({ caFile }, (key, reason, cause) =>
      unsent('notify-file', { key, reason }, { cause }),
    );
    this.#at = at;
    this.#user = decodeURIComponent(address.username);
    this.#password = decodeURIComponent(address.password);
    this.#connection = new SmtpConnection({
      host,
      port,
      secure,
      requireTLS: !secure && isEncrypted,
      ignoreTLS: !isEncrypted,
      tls,
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      dnsTimeout: SILENCE_MS,
      socketCloseTimeout: GOODBYE_MS,
    });
    this.#broken = new Promise((_, reject) => {
      this.#connection.on('error', reject);
      this.#connection.on('end', () => reject(new Error('the connection was closed')));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    this.#broken.catch(() => undefined);
  }

  /** Connects, encrypts and logs in. */
  async open(): Promise<void> {
    await this.#step((done) => this.#connection.connect(done));
    const [user, pass] = [this.#user, this.#password];
    if (user !== '' && this.#connection.allowsAuth)
      await this.#step((done) => this.#connection.login({ user, credentials: { user, pass } }, done));
    this.#isWell = true;
  }

  describe(): string {
    const login =
      this.#user === ''
        ? 'without a login'
        : this.#connection.allowsAuth
          ? `logged in as ${this.#user}`
          : 'the server takes no login';
    return `${this.#at}: ${this.#connection.secure ? 'connected by TLS' : 'connected without TLS'}, ${login}`;
  }

  /** Throws an AmbiguousError if some recipients were refused, or if it is unknown whether the message was taken. */
  async send({ from, to }: Pick<EmailSettings, 'from' | 'to'>, mail: Buffer): Promise<void> {
    const rejected: unknown[] = [];
    const marked = function* (this: SmtpSession): Generator<Buffer> {
      this.#isSending = true;
      yield mail;
    };
    await this.#step((done) =>
      this.#connection.send({ from, to: [...to] }, Readable.from(marked.call(this)), (error, info) => {
        rejected.push(...(info?.rejected ?? []));
        done(error);
      }),
    );
    if (rejected.length > 0) throw doubtful('notify-partly', { at: this.#at, refused: rejected.join(', ') });
  }

  close(): void {
    if (!this.#isWell) return this.#connection.close();
    this.#connection.quit();
    setTimeout(() => this.#connection.close(), GOODBYE_MS);
  }

  async #step(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      begin((error) => (error instanceof Error ? reject(error) : resolve()));
    });
    try {
      await Promise.race([this.#broken, ended]);
    } catch (error) {
      this.#isWell = false;
      throw this.#problem(error as SMTPError);
    }
  }

  #problem(error: SMTPError): RollcallError {
    const where = { channel: 'email', at: this.#at, remedy: REMEDY };
    const { command = '', response } = error;
    if (response !== undefined && response !== '') {
      const reason = hideAll(
        response,
        [spellingsOf(this.#password)].slice(this.#password === '' ? 1 : 0),
        '…',
      );
      if (command === 'STARTTLS') return unsent('notify-no-tls', where);
      return unsent(command.startsWith('AUTH') ? 'notify-login' : 'notify-refused', { ...where, reason });
    }
    const code = error.originalCode ?? error.code ?? error.message;
    if (this.#isSending) return doubtful('notify-no-answer', { ...where, reason: code });
    return noConnection(code, where);
  }
}
