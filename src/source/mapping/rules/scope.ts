import { ConfigError } from '../../../domain/errors.ts';
import type { FieldRule } from '../../../domain/source-settings.ts';
import type { ExpressionCompiler } from '../expressions/expression.ts';
import {
  compileExpression,
  CONTRADICTORY,
  FieldProblem,
  hushed,
  ruleOf,
  type Rule,
  type RulePlace,
} from './rule.ts';
import { Columns, type Preferred, type RawRecord } from '../values/raw-record.ts';

/** How records of this kind of source name each other. */
export interface Dialect {
  /** Returns the same spelling for equal names of attributes or columns. */
  readonly foldName: (name: string) => string;
  /** Returns the same spelling for equal references: a DN in canonical form, anything else as it is. */
  readonly canonicalRef: (text: string) => string;
  /** Returns whether a canonical reference is the top of the units: as a parent it means none. */
  readonly isTop: (ref: string) => boolean;
  /** Returns whether a canonical reference of a position stands for the service's root. */
  readonly isRoot: (ref: string) => boolean;
  readonly defaultRefs: (id: FieldRule) => readonly FieldRule[];
  readonly defaultParent: FieldRule | null;
  /** Returns which of several values of a name the place of a record prefers; absent: none does. */
  readonly preferred?: Preferred;
  /**
   * Says how to keep records without a value from being read; `name`: the attribute or column, if it is
   * one.
   */
  readonly leaveOut: (name: string | null) => string;
}

/** The dialect of a kind of source whose records name units by their ids, and whose tree nothing stands above. */
export const PLAIN_DIALECT: Omit<Dialect, 'leaveOut'> = {
  foldName: (name) => name,
  canonicalRef: (text) => text,
  isTop: () => false,
  isRoot: () => false,
  defaultRefs: (id) => [id],
  defaultParent: null,
};

/** What the rules of one source share. */
export interface Scoped {
  readonly dialect: Dialect;
  readonly expressions: ExpressionCompiler;
}

/** What the rules of one part share while they are compiled: the columns, and which of them hold secrets. */
export class Scope {
  /** Path in the configuration, e.g. `source.people.fields`. */
  readonly path: string;
  readonly columns: Columns;
  readonly dialect: Dialect;
  readonly expressions: ExpressionCompiler;
  readonly #secretNames: Set<string>;

  /** @param same a scope of the same part, whose columns are shared */
  constructor(path: string, same: Scoped) {
    this.path = path;
    this.dialect = same.dialect;
    this.expressions = same.expressions;
    this.columns =
      same instanceof Scope ? same.columns : new Columns(same.dialect.foldName, same.dialect.preferred);
    this.#secretNames = same instanceof Scope ? same.#secretNames : new Set();
  }

  /** Returns the scope for the same part below another path. */
  at(path: string): Scope {
    return new Scope(path, this);
  }

  /** Returns whether a rule reads a secret, its own or another field's. Compile the secret fields first. */
  readsSecret({ reads }: Pick<Rule, 'reads'>, secret: boolean): boolean {
    if (secret) for (const name of reads) this.#secretNames.add(name);
    return secret || reads.some((name) => this.#secretNames.has(name));
  }

  get secretNames(): ReadonlySet<string> {
    return this.#secretNames;
  }
}

/** An expression that says yes or no to a record. */
export interface Condition {
  /** The expression as written. */
  readonly text: string;
  /** Returns what it says; throws a `FieldProblem` if that is unknown. */
  holds(raw: RawRecord): boolean;
}

/**
 * Compiles the condition `where` below a path, `null` if there is none. Throws a `ConfigError`, also if its result
 * can be neither true nor false. Compile the secret fields of the scope first.
 */
export function conditionOf(text: string | undefined, path: string, scope: Scope): Condition | null {
  if (text === undefined) return null;
  const place = { path, field: 'where' };
  const expression = compileExpression(text, place, scope);
  const { type } = expression;
  if (type !== 'bool' && type !== 'dyn') {
    const gives = `${JSON.stringify(text)} gives ${type}, and not true or false`;
    const remedy = "Compare it, as in status == 'active'.";
    scope.expressions.refuse(new ConfigError(`${path}.where: ${gives}. ${remedy}`));
  }
  const rule = ruleOf(expression, place, scope);
  return { text, holds: holder(scope.readsSecret(rule, false) ? hushed(rule) : rule, place) };
}

function holder(rule: Rule, { path, field }: RulePlace): Condition['holds'] {
  return (raw) => {
    if (rule.choices(raw).length > 1)
      throw new FieldProblem(field, `${path}.${field} reads ${CONTRADICTORY}`);
    const says = rule.first(raw);
    if (says === 'true' || says === 'false') return says === 'true';
    throw new FieldProblem(field, `${path}.${field} says neither true nor false`);
  };
}
