import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RollcallError } from '../domain/errors.ts';
import type { WebhookSettings } from '../domain/settings.ts';
import { systemClock } from '../lib/clock.ts';
import { HttpClient, isAnswer, type HttpAnswer, type HttpFailure } from '../lib/http/http-client.ts';
import { codeOf, networkFailure } from '../lib/http/network-failure.ts';
import { discreet } from './compose.ts';
import type { Channel, Trial } from './channel.ts';
import { doubtful, noConnection, unsent } from './channel-problems.ts';
import { endpointOf } from './endpoint.ts';
import { postOf, refusalIn } from './webhook-forms.ts';

/** Most seconds for the answer. */
const SECONDS = 10;

/** Returns the channel by webhook: one POST for each notice, no redirect is followed. */
export function webhookChannel(settings: WebhookSettings): Channel & Trial {
  const address = new URL(settings.url);
  const isSecure = address.protocol === 'https:';
  const { host, port, at } = endpointOf(address, isSecure ? 443 : 80);
  return {
    name: 'webhook',
    takesReplies: false,
    async send(outgoing, signal) {
      const { url, ...request } = postOf(settings, outgoing, systemClock.now());
      const client = new HttpClient({
        addresses: [url],
        tls: {},
        seconds: SECONDS,
        tries: 1,
        clock: systemClock,
        signal,
      });
      try {
        const answer = await client.ask(url, { method: 'POST', ...request });
        const problem = isAnswer(answer) ? refusalOf(answer, settings, at) : failureOf(answer, at);
        if (problem !== null) throw problem;
      } catch (error) {
        throw signal.aborted ? noAnswer(at, 'no time left') : error;
      } finally {
        await client.close();
      }
    },
    async check(signal) {
      if (isSecure && (process.env['HTTPS_PROXY'] ?? process.env['https_proxy'] ?? '') !== '')
        return `${at}: not tried, since the environment names a proxy (HTTPS_PROXY)`;
      try {
        await connected(
          { host, port, isSecure },
          AbortSignal.any([signal, AbortSignal.timeout(SECONDS * 1000)]),
        );
      } catch (error) {
        throw unreachable(at, codeOf(error) ?? 'ETIMEDOUT', error);
      }
      return `${at}: ${isSecure ? 'connected by TLS' : 'connected without TLS'}`;
    },
  };
}

/** Connects, and ends the connection at once. */
async function connected(
  { host, port, isSecure }: { readonly host: string; readonly port: number; readonly isSecure: boolean },
  signal: AbortSignal,
): Promise<void> {
  const socket = isSecure ? connectTls({ host, port, servername: host }) : connectPlain({ host, port });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve());
      socket.once('error', reject);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  } finally {
    socket.destroy();
  }
}

const noAnswer = (at: string, reason: string): RollcallError =>
  doubtful('notify-no-answer', { channel: 'webhook', at, reason });

const REMEDY = 'name the file of its authority in NODE_EXTRA_CA_CERTS';

const unreachable = (at: string, code: string, cause: unknown): RollcallError =>
  noConnection(code, { channel: 'webhook', at, remedy: REMEDY }, { cause });

/** Returns why an answer means that the message was not taken; `null`: it was. */
function refusalOf({ status, body }: HttpAnswer, { as }: WebhookSettings, at: string): RollcallError | null {
  if (status >= 300 && status < 400) return unsent('notify-redirect', { at, status });
  const words =
    status < 300 ? refusalIn(as, body) : [`HTTP ${status}`, discreet(body)].filter(Boolean).join(' ');
  return words === null ? null : unsent('notify-refused', { channel: 'webhook', at, reason: words });
}

/** A connection that broke may have brought the message. */
const BROKEN: ReadonlySet<unknown> = new Set(['dropped', 'cut', null]);

function failureOf({ failure, seconds, cause }: HttpFailure, at: string): RollcallError {
  if (failure !== 'broken') return noAnswer(at, failure === 'late' ? `${seconds} s` : failure);
  const code = codeOf(cause) ?? '';
  return BROKEN.has(networkFailure(code)) ? noAnswer(at, code) : unreachable(at, code, cause);
}
