import type { SourceSettings } from '../../domain/source-settings.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';

export interface RemedyInput {
  readonly settings: Pick<SourceSettings, 'type'>;
  /** Rule for the parent of a unit as it is written, or `null`. */
  readonly parent: string | null;
}

const UNKNOWN = /^its parent "(?<value>.*)" is no unit of the source$/su;
const NAME = /^[A-Za-z_]\w*$/u;

/**
 * Characters of a value that cannot be copied into an expression: quotes, and signs that it was escaped or
 * cut.
 */
const NOT_AS_IT_IS = /['\\…]/u;

/** Returns what to do about units that are left for these reasons, whose parent was not read: the parent may be no unit at all. */
export function parentRemedy(
  reasons: readonly string[],
  { settings, parent }: RemedyInput,
): readonly string[] {
  const value = reasons.map((reason) => UNKNOWN.exec(reason)?.groups?.['value']).find(isThere);
  if (value === undefined) return [];
  const widen = settings.type === 'combined' ? 'widen source.units' : SOURCE_KINDS[settings.type].widen;
  const rest = `where it is a unit, ${widen}, so that it is read; where it is the company itself, name it in sync.root as well`;
  if (parent === null || !NAME.test(parent) || NOT_AS_IT_IS.test(value)) return [rest];
  const top = `parent: { expr: "${parent} == '${value}' ? '' : ${parent}" }`;
  return [`where "${value}" means the top, map it to nothing: ${top}`, rest];
}

const isThere = (value: string | undefined): value is string => value !== undefined;
