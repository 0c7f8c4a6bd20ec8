import { readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import type { Draft, DraftValue } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';
import { secretIn } from '../../lib/secret-in.ts';
import type { Refusals } from '../connect/refusals.ts';
import type { ColumnFacts } from './table-facts.ts';

/** What makes the units of a directory: entries above people, a value of people, or groups. */
export type Structure = 'tree' | 'values' | 'groups';

/** Flags of `rollcall init` that say where a source is, and how to look at it. */
export interface SourceFlags {
  readonly url?: string | undefined;
  readonly file: readonly string[];
  readonly bindDn?: string | undefined;
  readonly anonymous: boolean;
  readonly passwordFile?: string | undefined;
  /** An absolute path. */
  readonly caFile?: string | undefined;
  readonly base?: string | undefined;
  readonly units?: Structure | undefined;
  readonly peopleTable?: string | undefined;
  readonly unitsTable?: string | undefined;
}

export interface Looking {
  readonly refusals: Refusals;
  readonly signal: AbortSignal;
}

/** How a kind of source is looked at, with nothing read to its end. It stands in `init.ts` of the folder of the kind. */
export interface KindInit<Settings> {
  /** Returns a proposal for `source`. Throws a `ConfigError` or a `SourceError`. */
  readonly draft: (flags: SourceFlags, signal: AbortSignal) => Promise<Draft>;
  /** Returns what a part has, with first values: `check` names what ends or locks an account and is not read. */
  readonly columns?: (
    settings: Settings,
    part: 'people' | 'positions',
    looking: Looking,
  ) => Promise<readonly ColumnFacts[]>;
}

/** What is in a file of `--password-file`, and how a configuration refers to it. */
export class Password {
  readonly text: string;
  /** `${file:…}` */
  readonly reference: string;

  /** Reads the file. Throws a `ConfigError`. */
  constructor({ passwordFile }: SourceFlags) {
    if (passwordFile === undefined) throw missingFlag('--password-file');
    const path = normalize(passwordFile);
    try {
      this.text = secretIn(readFileSync(path, 'utf8'));
      this.reference = `\${file:${path}}`;
    } catch (cause) {
      throw new ConfigError(`--password-file: ${path} cannot be read; check its path and its mode.`, {
        cause,
      });
    }
  }
}

/** Returns a draft that begins with these keys; those without a value are left out. */
export function withHead(
  draft: Draft,
  head: Readonly<Record<string, DraftValue | Password | undefined>>,
): Draft {
  const entries = Object.entries(head).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return value instanceof Password ? [{ key, value: value.reference, refers: true }] : [{ key, value }];
  });
  return { ...draft, entries: [...entries, ...draft.entries] };
}

/** Returns `tls` of the source, to connect with and to write down. */
export function tlsOf({ caFile }: SourceFlags) {
  return { access: { caFile, insecure: false }, written: caFile === undefined ? undefined : { caFile } };
}

/** Returns the URL. Throws a `ConfigError` if it is none, or has a password in it. */
export function urlOf({ url = '' }: SourceFlags): string {
  if (!URL.canParse(url))
    throw new ConfigError(
      'rollcall init: --url cannot be read as a URL; write scheme://HOST or scheme://USER@HOST/NAME.',
    );
  if (new URL(url).password === '') return url;
  throw new ConfigError(
    'rollcall init: --url: leave the password out of it, and name a file that holds it with --password-file.',
  );
}

export function missingFlag(flag: string): ConfigError {
  return new ConfigError(`rollcall init: ${flag} is missing; see rollcall init --help.`);
}
