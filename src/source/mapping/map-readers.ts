import type { FieldValue } from '../../domain/records/fields.ts';
import type { Loss } from '../../domain/records/records.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import { lose, type FieldReader } from './field-reader.ts';
import { whereKnown } from './rules/field-problem.ts';
import type { RawRecord } from './values/raw-record.ts';
import { compileRule, hushed, type Rule } from './rules/rule.ts';
import type { Scope } from './rules/scope.ts';

type Rules = Readonly<Record<string, FieldRule>>;

/** Compiles the rules of a field that is a map of keys to attributes. */
function compileMap(
  { field, secret }: { readonly field: string; readonly secret: boolean },
  rules: Rules,
  scope: Scope,
): readonly (readonly [key: string, rule: Rule])[] {
  return Object.entries(rules).map(([key, rule]) => {
    const place = { path: scope.path, field: `${field}.${key}`, secret };
    const compiled = compileRule(rule, place, scope);
    return [key, scope.readsSecret(compiled, secret) ? hushed(compiled) : compiled] as const;
  });
}

/**
 * Reads `source_identifiers`: the keys that this record has; `null`: none of them. Not mapped where all that are left of
 * the rules read names that the source does not know.
 */
export function identifiersReader(rules: Rules, scope: Scope): readonly FieldReader[] {
  const field = 'source_identifiers';
  const entries = compileMap({ field, secret: true }, rules, scope);
  if (entries.length === 0) return [];
  const read = (raw: RawRecord): FieldValue | null => {
    const values = entries.flatMap(([key, rule]) => {
      const value = whereKnown(() => rule.first(raw));
      return value === undefined ? [] : [[key, value] as const];
    });
    if (values.length === 0) for (const [, rule] of entries) rule.first(raw);
    return values.length === 0 ? null : Object.fromEntries(values);
  };
  return [{ field, read }];
}

/** Reads `properties`: every configured id, with an empty list where the record has none, which clears it. */
export function propertiesReader(rules: Rules, scope: Scope): readonly FieldReader[] {
  const field = 'properties';
  const entries = compileMap({ field, secret: false }, rules, scope);
  if (entries.length === 0) return [];
  const read = (raw: RawRecord, losses: Loss[]): FieldValue => {
    const values: Record<string, readonly string[]> = {};
    for (const [key, rule] of entries) {
      try {
        values[key] = rule.all(raw);
      } catch (error) {
        lose(losses, error);
      }
    }
    return values;
  };
  return [{ field, read }];
}

/**
 * Reads `tag_names`: the tags of each group that has any; `null`: none at all. They are one list: where one group
 * cannot be read, all of it stays as it was sent.
 */
export function tagNamesReader(rules: Rules, scope: Scope): readonly FieldReader[] {
  const field = 'tag_names';
  const entries = compileMap({ field, secret: false }, rules, scope);
  if (entries.length === 0) return [];
  const read = (raw: RawRecord): FieldValue | null => {
    const groups = entries
      .map(([group, rule]) => [group, [...new Set(rule.all(raw))]] as const)
      .filter(([, tags]) => tags.length > 0);
    return groups.length === 0 ? null : Object.fromEntries(groups);
  };
  return [{ field, read }];
}
