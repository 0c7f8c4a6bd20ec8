import { escapedPattern } from '../../lib/escaped-pattern.ts';
import { endsIn } from './active-rule.ts';
import type { KindInit, Looking } from './init-kind.ts';

type Part = 'people' | 'positions';

/** Returns the columns of a part by which records have ended or are locked, and whose names stand nowhere in its settings. */
export async function unreadEnds<S extends object>(
  { columns }: KindInit<S>,
  [settings, part]: readonly [S, Part],
  looking: Looking,
): Promise<readonly string[]> {
  const rules = JSON.stringify((settings as Partial<Record<Part, unknown>>)[part]) ?? '';
  const found = rules === '' ? [] : await columns?.(settings, part, looking);
  const isUnread = ({ name }: { readonly name: string }): boolean => !wholeWord(name).test(rules);
  return endsIn(found?.filter(isUnread) ?? []).map(({ name }) => name);
}

const wholeWord = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])${escapedPattern(name)}(?![\p{L}\p{N}_])`, 'iu');
