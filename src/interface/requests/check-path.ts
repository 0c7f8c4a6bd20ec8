import { OPERATIONS } from '../operations.ts';
import type { Operation } from '../terms/operation.ts';
import { partsOf } from '../terms/paths.ts';
import { FROM_CONFIG } from '../terms/stand-ins.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { Problem } from './problem.ts';

type Steps = readonly string[];

/** Paths of all operations, of the older interface too. */
const PATHS: readonly Steps[] = Object.values(OPERATIONS).flatMap(({ path, older }: Operation) =>
  older === undefined ? [stepsOf(path)] : [stepsOf(path), stepsOf(older)],
);

/** Servers that tidy paths take these for steps, also where they are escaped. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Returns which variable parts of a path are missing, or could make it the path of another operation: for a server
 * that reads escaped signs and slashes as they are, whatever its method and case.
 */
export function checkPath(
  path: string,
  { parts, orgCode }: Pick<CheckedRequest, 'parts' | 'orgCode'>,
): readonly Problem[] {
  const names = partsOf(path);
  const missing = names.filter((name) => (parts[name] ?? '') === '');
  if (missing.length > 0) return missing.map((name) => ({ place: `path ${name}`, text: 'is required' }));
  const stepping = names.filter((name) => stepsOf(parts[name] ?? '').some((step) => STEPS.has(step)));
  if (stepping.length > 0)
    return stepping.map((name) => ({
      place: `path ${name}`,
      text: 'is a step of a path: another operation would be asked',
    }));
  const own = stepsOf(path);
  const filled = stepsOf(
    path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      Object.hasOwn(FROM_CONFIG, name) && parts[name] === orgCode ? 'own' : (parts[name] ?? ''),
    ),
  );
  const other = PATHS.find((one) => covers(one, filled) && !covers(one, own));
  if (other === undefined) return [];
  return [{ place: `path ${names.join(', ')}`, text: `would ask another operation: /${other.join('/')}` }];
}

/** Returns whether a path with variable parts has these steps as one of its cases. */
function covers(path: Steps, steps: Steps): boolean {
  if (path.length !== steps.length) return false;
  return path.every((step, index) => step.startsWith('{') || step === steps[index]?.toLowerCase());
}

/** Splits a path, or a part of one, as far as a server can: unescaped until nothing is escaped. */
function stepsOf(text: string): Steps {
  const plain = unescaped(text);
  return plain === text ? text.split(/[/\\]/u).filter((step) => step !== '') : stepsOf(plain);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
