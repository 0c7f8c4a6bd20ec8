import type { FaultKind } from '../options/faults.ts';

/** One call as the sandbox saw it. `http` is absent while it runs and where no answer was sent. */
export interface SandboxCall {
  /** Number of the call; 1 for the first. */
  readonly number: number;
  readonly at: number;
  /** Name in the table of routes, or `unknown`. */
  readonly operation: string;
  readonly method: string;
  /** Path with the query, without the token. */
  readonly path: string;
  readonly bodyBytes: number;
  readonly fault?: FaultKind | undefined;
  readonly http?: number;
  /** Status in the envelope. */
  readonly status?: number | undefined;
}

/** Number of calls that are kept: a load of 1,000,000 people must not fill the memory. */
const KEPT = 20_000;

/** Number of calls whose bodies are kept too. */
const KEPT_BODIES = 200;

/** What went in and out with a call, cut and without secrets. */
interface CallBodies {
  readonly ms: number;
  readonly request: string;
  readonly answer: string;
}

export class CallLog {
  readonly #calls = new Map<number, SandboxCall>();
  readonly #counts = new Map<string, number>();
  readonly #bodies = new Map<number, CallBodies>();
  #last = 0;

  begin(seen: Omit<SandboxCall, 'number'>): SandboxCall {
    this.#last += 1;
    const call = { ...seen, number: this.#last };
    this.#calls.set(call.number, call);
    this.#calls.delete(call.number - KEPT);
    this.#counts.set(call.operation, (this.#counts.get(call.operation) ?? 0) + 1);
    return call;
  }

  end(call: SandboxCall, http: number, status: number | undefined): void {
    if (this.#calls.has(call.number)) this.#calls.set(call.number, { ...call, http, status });
  }

  keepBodies({ number }: SandboxCall, bodies: CallBodies): void {
    this.#bodies.set(number, bodies);
    if (this.#bodies.size <= KEPT_BODIES) return;
    const [oldest = 0] = this.#bodies.keys();
    this.#bodies.delete(oldest);
  }

  /** Returns the bodies of one of the last 200 calls that ended. */
  bodies(number: number): CallBodies | undefined {
    return this.#bodies.get(number);
  }

  /** Returns the newest 200 calls, the newest first. */
  get latest(): readonly SandboxCall[] {
    const numbers = Array.from({ length: KEPT_BODIES }, (_, index) => this.#last - index);
    return numbers.flatMap((number) => this.#calls.get(number) ?? []);
  }

  /** Returns the newest 20,000 calls. */
  get calls(): readonly SandboxCall[] {
    return [...this.#calls.values()];
  }

  /** Returns the number of all calls by operation, also those that failed on purpose. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  forget(): void {
    this.#calls.clear();
    this.#counts.clear();
    this.#bodies.clear();
  }
}

/** Characters of a body that are kept; of a longer one the beginning. */
const KEPT_CHARACTERS = 4096;

/** Fields that nobody is shown, in whatever part of a body they stand. */
const SECRET = /password|credential|source_?identifier|secret|token|authorization|id_?card/iu;

/** A text (perhaps cut), a number or word, a sign, white space; whatever else is no JSON. */
const TOKEN = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[-+.\w]+|[{}[\]:,]|\s+/gu;

/** Returns the beginning of a JSON body as people may see it: without secrets, and of other bodies only the length. */
export function shownBody(body: string): string {
  if (body.trim() === '') return '';
  const begin = body.slice(0, KEPT_CHARACTERS);
  const tokens = begin.match(TOKEN) ?? [];
  if (!/^\s*[[{]/u.test(begin) || tokens.join('') !== begin) return `(no JSON, ${body.length} characters)`;
  const more = body.length > KEPT_CHARACTERS ? ` … (${body.length} characters)` : '';
  return `${withoutSecrets(tokens)}${more}`;
}

function withoutSecrets(tokens: readonly string[]): string {
  const shown: string[] = [];
  let name = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    shown.push(token);
    if (token.startsWith('"')) name = token;
    if (token !== ':' || !SECRET.test(decoded(name))) continue;
    at = endOfValue(tokens, at + 1);
    shown.push('"[secret]"');
  }
  return shown.join('');
}

/** Returns the index of the last token of a value, with everything in it. */
function endOfValue(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 && token.trim() !== '') return at;
  }
  return tokens.length;
}

/** Returns a name as it is meant: `pass\u0077ord` is a password too. */
function decoded(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return name;
  }
}
