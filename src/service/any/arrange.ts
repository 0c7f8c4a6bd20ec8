import type { Operation } from '../../interface/terms/operation.ts';
import { partsOf } from '../../interface/terms/paths.ts';
import { FROM_CONFIG } from '../../interface/terms/stand-ins.ts';
import { TWINS } from '../../interface/terms/twins.ts';
import type { Scope } from '../calls/scope.ts';

export type Params = Readonly<Record<string, string>>;

/** Parameters of an operation in their places. */
export interface Arranged {
  readonly parts: Params;
  readonly query: Params;
  readonly form: Params;
}

/**
 * Puts parameters where the operation wants them, in every place where the document leaves open which one it is.
 * The organization and domain of the configuration stand in for those that are not given.
 */
export function arrange(row: Operation, params: Params, scope: Scope): Arranged {
  const byDefault = Object.fromEntries(Object.entries(FROM_CONFIG).map(([name, key]) => [name, scope[key]]));
  const given = withTwins({ ...byDefault, ...params });
  return {
    parts: pick(given, partsOf(row.path)),
    query: pick(given, Object.keys(row.query)),
    form: row.body.kind === 'form' ? pick(given, Object.keys(row.body.fields)) : {},
  };
}

function withTwins(params: Params): Params {
  const more = TWINS.flatMap(([one, other]) => {
    const value = params[one] ?? params[other];
    return value === undefined
      ? []
      : [[one, params[one] ?? value] as const, [other, params[other] ?? value] as const];
  });
  return { ...params, ...Object.fromEntries(more) };
}

function pick(params: Params, names: readonly string[]): Params {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = params[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
