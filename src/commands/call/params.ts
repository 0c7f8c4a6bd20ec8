import { ConfigError } from '../../domain/errors.ts';
import { namesOf } from '../../interface/requests/check-request.ts';
import { OPERATIONS, type OperationName } from '../../interface/operations/operations.ts';
import { suggest } from '../../lib/suggest.ts';

/** Reads `NAME=VALUE` texts; a value may hold more equals signs. Throws a ConfigError that names the nearest name. */
export function paramsOf(name: OperationName, texts: readonly string[]): Readonly<Record<string, string>> {
  const known = namesOf(OPERATIONS[name]);
  const params = new Map<string, string>();
  for (const text of texts) {
    const [param, value] = pairOf(text);
    if (!known.includes(param)) throw unknown(name, param, known);
    if (params.has(param)) throw new ConfigError(`call: --param ${param} is given twice.`);
    params.set(param, value);
  }
  return Object.fromEntries(params);
}

function pairOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw new ConfigError(`call: --param ${text}: expected NAME=VALUE.`);
}

function unknown(name: OperationName, param: string, known: readonly string[]): ConfigError {
  const meant = suggest(param, known);
  const taken = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  return new ConfigError(
    `call: ${name} has no parameter ${param}.${meant === undefined ? '' : ` Did you mean ${meant}?`} ${taken}`,
  );
}
