import { MOST_BYTES, PictureProblem, tooLarge } from './picture-kind.ts';

const DEADLINE_MS = 20_000;
const MOST_REDIRECTS = 5;

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'the host does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer in time',
};

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
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const headers = url.origin === first.origin ? secret : {};
      const signals = AbortSignal.any([signal, late]);
      const answer = await fetch(url, { redirect: 'manual', headers, signal: signals });
      const next = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || next === null) return await bodyOf(answer);
      await answer.body?.cancel();
      url = redirected(url, next);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error, late);
  }
  throw new PictureProblem(`is redirected more than ${MOST_REDIRECTS} times`);
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

function redirected(from: URL, to: string): URL {
  const next = URL.canParse(to, from.href) ? new URL(to, from) : null;
  if (next === null || !/^https?:$/u.test(next.protocol)) {
    throw new PictureProblem('is redirected to something else than http: or https:');
  }
  return withoutUser(next);
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
  const code = codeOf(error);
  return new HostProblem(PROBLEMS[code] ?? `cannot be fetched (${code})`, { cause: error });
}

/** Returns the code of an error; `fetch` puts the network's error into `cause`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? error.name : codeOf(error.cause);
}
