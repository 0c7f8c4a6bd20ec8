import { quoted } from '../mapping/values/quoted.ts';
import { shownAddress } from './inline-picture.ts';
import { MOST_BYTES, PictureProblem, requirePicture, tooLarge } from './picture-kind.ts';

const DEADLINE_MS = 20_000;
const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const REMEDY = 'give the address of the picture itself';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'nobody listens there',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'the host does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer in time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the host speaks no TLS there; write http: or another port',
};
const NO_HTTP = /^HPE_/u;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/u;
/** What `fetch` says of ports that are for other services, such as 6000; it asks none of them. */
const BAD_PORT = 'bad port';

/** A picture that cannot be had because its host does not answer: another one of this host most likely neither. */
export class HostProblem extends PictureProblem {}

/**
 * Fetches a picture. User and password in the address go to its own host alone. Throws a PictureProblem, or what
 * stopped it.
 */
export async function fetchPicture(address: string, signal: AbortSignal): Promise<Buffer> {
  const late = AbortSignal.timeout(DEADLINE_MS);
  const first = new URL(address);
  const secret = authorization(first);
  let url = withoutUser(first);
  let redirects = 0;
  try {
    for (;;) {
      const headers = url.origin === first.origin ? secret : {};
      const signals = AbortSignal.any([signal, late]);
      const answer = await fetch(url, { redirect: 'manual', headers, signal: signals });
      if (!REDIRECTS.has(answer.status)) return await pictureOf(answer, redirects > 0);
      await answer.body?.cancel();
      if (redirects === MOST_REDIRECTS) throw new PictureProblem('is redirected once more');
      url = redirected(url, answer);
      redirects += 1;
    }
  } catch (error) {
    signal.throwIfAborted();
    const problem = problemOf(error, late);
    throw redirects === 0 ? problem : behindRedirects(problem, url, redirects);
  }
}

/** Tells where a picture was looked for in the end: what is there may be the page of a login. */
function behindRedirects(problem: PictureProblem, url: URL, redirects: number): PictureProblem {
  const times = redirects === 1 ? '' : ` ${redirects} times, at last`;
  const link = /^(?:is|does|cannot|has) /u.test(problem.message) ? ', which' : ':';
  const place = quoted(shownAddress(url.href));
  const words = `is redirected${times} to ${place}${link} ${problem.message}; ${REMEDY}`;
  const details = { cause: problem };
  return problem instanceof HostProblem
    ? new HostProblem(words, details)
    : new PictureProblem(words, details);
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Returns the text that a URL has encoded; the text as it is where a `%` in it encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

function redirected(from: URL, { status, headers }: Response): URL {
  const to = headers.get('location') ?? '';
  const next = to !== '' && URL.canParse(to, from.href) ? new URL(to, from) : null;
  if (next === null) {
    throw new PictureProblem(`is redirected (HTTP ${status}) without saying where to; ${REMEDY}`);
  }
  if (/^https?:$/u.test(next.protocol)) return withoutUser(next);
  throw new PictureProblem(
    `is redirected to ${next.protocol}, and only http: and https: are read; ${REMEDY}`,
  );
}

/** Reads the picture of an answer; one behind a redirect is looked at here, where it is known where it came from. */
async function pictureOf(answer: Response, isRedirected: boolean): Promise<Buffer> {
  const bytes = await bodyOf(answer);
  if (isRedirected) requirePicture(bytes);
  return bytes;
}

async function bodyOf(answer: Response): Promise<Buffer> {
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new PictureProblem(`the host answers HTTP ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the download.
    if (length > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function problemOf(error: unknown, late: AbortSignal): PictureProblem {
  if (error instanceof PictureProblem) return error;
  if (late.aborted) return new HostProblem(`does not come within ${DEADLINE_MS / 1000} seconds`);
  const { code, words } = innermost(error);
  if (code === null && words === BAD_PORT) {
    return new PictureProblem(
      'has a port that is for other services, and is not asked for; give another port',
    );
  }
  return new HostProblem(sentenceOf(code, words), { cause: error });
}

function sentenceOf(code: string | null, words: string): string {
  if (code === null) return `cannot be fetched: ${words}`;
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  if (NO_HTTP.test(code)) return 'the host does not speak HTTP there';
  if (CERTIFICATE.test(code)) {
    return `the host has a certificate not trusted here (${code}); NODE_EXTRA_CA_CERTS names its authority`;
  }
  return `cannot be fetched: the system says ${code}`;
}

/**
 * Returns code and words of what happened, without addresses, which may hold a secret; `fetch` puts the network's error
 * into `cause`.
 */
function innermost(error: unknown): { readonly code: string | null; readonly words: string } {
  if (!(error instanceof Error)) return { code: null, words: 'nobody says why' };
  if ('code' in error && typeof error.code === 'string') return { code: error.code, words: '' };
  if (error.cause instanceof Error) return innermost(error.cause);
  const words = error.message.replaceAll(/\bhttps?:\/\/\S+/gu, 'the address').trim();
  return { code: null, words: words === '' ? 'nobody says why' : words };
}
