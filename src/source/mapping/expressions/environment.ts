import { Environment } from '@marcbachmann/cel-js';

import { NOW, type ExpressionNames } from './expression-names.ts';
import type { FunctionSpec, Tools } from './function-spec.ts';
import { FUNCTIONS } from './functions.ts';
import { COUNTED, SIZED, STRICT_METHODS } from './rewrite.ts';
import { registerNumerals } from './strict-numbers.ts';

/** Options of cel-js. Mixed lists are allowed, since all inputs are texts. */
export const OPTIONS = {
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 2_000, maxDepth: 100, maxListElements: 1_000, maxMapEntries: 1_000 },
} as const;

/** Returns what an expression may call and read as it is written: nothing but the record, and the clock of the run. */
export function writtenEnvironment(names: ExpressionNames, tools: Tools): Environment {
  const environment = new Environment({ ...OPTIONS, unlistedVariablesAreDyn: false });
  for (const [name, spec] of Object.entries(FUNCTIONS)) registerFunction(environment, { name, spec, tools });
  environment.registerVariable('all', 'map<string, list<string>>');
  environment.registerVariable(NOW, 'google.protobuf.Timestamp');
  for (const source of names.joined.keys()) environment.registerVariable(source, 'map<string, string>');
  for (const name of names.firsts) {
    if (!environment.hasVariable(name)) environment.registerVariable(name, 'string');
  }
  return environment;
}

/** Returns the environment of the rewritten expression, see `rewritten`. */
export function runEnvironment(names: ExpressionNames, tools: Tools): Environment {
  const environment = writtenEnvironment(names, tools);
  registerNumerals(environment);
  const { budget } = tools;
  environment.registerFunction(`list<T>.${COUNTED}(): list<T>`, (list: readonly unknown[]) => {
    budget.spend(list.length + 1);
    return list;
  });
  environment.registerFunction(`map.${COUNTED}(): map`, (map: object) => {
    budget.spend(Object.keys(map).length + 1);
    return map;
  });
  environment.registerFunction(`${SIZED}(A): A`, (value: unknown) => budget.sized(value));
  // Parts of moments are asked with a zone; those of a duration have none.
  for (const name of ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const)
    environment.registerFunction(
      `google.protobuf.Duration.${name}(string): int`,
      (span: Readonly<Record<typeof name, () => bigint>>) => span[name](),
    );
  registerStrictMethods(environment, tools);
  return environment;
}

function registerFunction(
  environment: Environment,
  { name, spec, tools }: { readonly name: string; readonly spec: FunctionSpec; readonly tools: Tools },
): void {
  const handler = spec.make(tools);
  for (const takes of spec.takes) {
    environment.registerFunction(`${name}(${takes.join(', ')}): ${spec.gives}`, handler);
    const [receiver = '', ...rest] = takes;
    if (spec.method === true)
      environment.registerFunction(`${receiver}.${name}(${rest.join(', ')}): ${spec.gives}`, handler);
  }
}

/** Registers the methods that are called in place of those of CEL. */
function registerStrictMethods(environment: Environment, tools: Tools): void {
  for (const [name, strict] of Object.entries(STRICT_METHODS)) {
    const spec = FUNCTIONS[name];
    if (spec === undefined) continue;
    for (const [receiver = '', ...rest] of spec.takes)
      environment.registerFunction(
        `${receiver}.${strict}(${rest.join(', ')}): ${spec.gives}`,
        spec.make(tools),
      );
  }
  const [join, split] = [FUNCTIONS['join'], FUNCTIONS['split']];
  if (join !== undefined)
    environment.registerFunction(`list<string>.${STRICT_METHODS.join}(): string`, join.make(tools));
  if (split !== undefined)
    environment.registerFunction(
      `string.${STRICT_METHODS.split}(string, int): list<string>`,
      splitAtMost(tools),
    );
}

/** Splits as CEL does: into so many parts at most, the last of which is the rest; all of them where negative. */
function splitAtMost({ budget }: Tools) {
  return (text: string, separator: string, most: bigint): readonly string[] => {
    const parts = budget.sized(text.split(separator));
    const limit = Number(most);
    if (limit < 0 || parts.length <= limit) return parts;
    return limit === 0 ? [] : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
  };
}
