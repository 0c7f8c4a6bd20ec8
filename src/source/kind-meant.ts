import { ConfigError } from '../domain/errors.ts';
import { schemeOf } from '../schema/url-problems.ts';
import { urlOf, type SourceFlags } from './init/init-kind.ts';
import { KINDS, type SourceKind } from './kinds.ts';

/** `--kind` of `rollcall init`. */
export interface NamedKind {
  readonly kind?: string | undefined;
}

const NAMES = Object.keys(KINDS) as SourceKind[];

/** Returns the kind of source that is meant. Throws a `ConfigError` if `--kind` and the address do not agree. */
export function kindMeant(flags: SourceFlags & NamedKind): SourceKind {
  const { kind, url } = flags;
  const fitting = NAMES.filter((name) =>
    url === undefined ? schemesOf(name).length === 0 : schemesOf(name).includes(schemeOf(url)),
  );
  const meant = kind === undefined ? fitting[0] : fitting.find((name) => name === kind);
  if (meant !== undefined) return meant;
  if (kind === undefined) {
    urlOf(flags);
    throw new ConfigError(`rollcall init: --url begins with none of ${NAMES.flatMap(schemesOf).join(' ')}.`);
  }
  const named = NAMES.find((name) => name === kind);
  if (named === undefined)
    throw new ConfigError(`rollcall init: --kind ${kind} is none of ${NAMES.join(', ')}.`);
  const [scheme] = schemesOf(named);
  const flag = scheme === undefined ? '--file' : `--url ${scheme}//…`;
  throw new ConfigError(`rollcall init: --kind ${kind} goes with ${flag}.`);
}

/** A kind without schemes is read from files. */
function schemesOf(name: SourceKind): readonly string[] {
  const kind = KINDS[name];
  return 'schemes' in kind ? kind.schemes : [];
}
