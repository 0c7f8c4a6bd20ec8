import { hideAll, spellingsOf, type Spellings } from '../domain/text/hide.ts';

const SECRET = '[secret]';

/** Names of secrets, without case and separators: `id_card` and `idCard` are the same. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'token',
  'accesstoken',
  'authorization',
  'password',
  'bindpassword',
  'sourcecredentials',
  'sourceidentifiers',
  'idcard',
]);

/** Secrets that are recognized by the text around them. */
const IN_TEXT: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(:\/\/[^\s/?#:@]*:)[^\s/?#]*@/g, `$1${SECRET}@`],
  [
    /(\b(?:access_token|password|bindPassword|source_credentials|id_card)(?:=|%3D))[^&\s"'\\]+/gi,
    `$1${SECRET}`,
  ],
  [/(\bBearer\s+)[^\s"']+/gi, `$1${SECRET}`],
];

/** Smallest length of a literal secret: a shorter one would blacken half of every line. */
const SHORTEST = 6;
const DEEPEST = 10;

/**
 * Makes plain data of any value, without secrets: those with a telling name, those in URLs, and the literal
 * ones that were passed to it. Never throws: a log line must not be lost because of an odd value.
 */
export class Scrubber {
  readonly #literals = new Map<string, Spellings>();
  readonly #shortest: number;

  /** @param shortest characters below which a literal secret is not hidden */
  constructor(secrets: readonly string[] = [], shortest = SHORTEST) {
    this.#shortest = shortest;
    for (const secret of secrets) this.hide(secret);
  }

  /** Hides a literal secret from now on, in each spelling that a message may have of it. */
  hide(secret: string): void {
    if (secret.length < this.#shortest) return;
    if (!this.#literals.has(secret)) this.#literals.set(secret, spellingsOf(secret));
  }

  /** Hides the literal secrets alone: data keeps what only looks like a secret. */
  literals(text: string): string {
    return hideAll(text, [...this.#literals.values()], SECRET);
  }

  text(text: string): string {
    const masked = this.literals(text);
    return IN_TEXT.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), masked);
  }

  fields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#object(fields, new Set());
  }

  #value(value: unknown, within: ReadonlySet<object>): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'bigint') return value.toString();
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (within.has(value) || within.size > DEEPEST) return '[…]';
    return this.#objectValue(value, new Set(within).add(value));
  }

  #objectValue(value: object, within: ReadonlySet<object>): unknown {
    if (value instanceof Error) return this.#error(value, within);
    if (value instanceof URL) return this.text(value.href);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return this.#value([...value], within);
    if (Array.isArray(value) || value instanceof Set)
      return [...value].map((item) => this.#value(item, within));
    return this.#object(value, within);
  }

  #object(value: object, within: ReadonlySet<object>): Record<string, unknown> {
    const entries = Object.keys(value).map((key) => [this.text(key), this.#property(value, key, within)]);
    return Object.fromEntries(entries);
  }

  #property(value: object, key: string, within: ReadonlySet<object>): unknown {
    if (SECRET_KEYS.has(key.toLowerCase().replace(/[_-]/g, ''))) return SECRET;
    try {
      return this.#value(Reflect.get(value, key), within);
    } catch {
      return '[unreadable]';
    }
  }

  /**
   * Returns an error as data. Errors with a code of ours say everything in their message, also of their causes; others are
   * surprises, and their stack is wanted.
   */
  #error(error: Error, within: ReadonlySet<object>): Record<string, unknown> {
    const isExplained = [...within].some((one) => one instanceof Error && 'exitCode' in one);
    const stack = isExplained ? {} : { stack: this.text(error.stack ?? '') };
    return {
      type: error.name,
      message: this.text(error.message),
      ...('code' in error ? { code: this.#value(error.code, within) } : {}),
      ...stack,
      ...(error.cause === undefined ? {} : { cause: this.#value(error.cause, within) }),
      ...(error instanceof AggregateError ? { errors: this.#value(error.errors, within) } : {}),
    };
  }
}
