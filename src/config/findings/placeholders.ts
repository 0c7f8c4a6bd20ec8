import { PLACEHOLDER } from '../../domain/draft.ts';
import { showPath, type Finding, type Path } from './problem.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  'service.baseUrl': 'write the address of the service, as https://im.example.com',
  'service.domainId': 'write the id of your domain in the service',
  'service.orgCode': 'write the code of your organization in the service',
};

/** Finds what `rollcall init` could not know and nobody has written yet. */
export function placeholderFindings(raw: unknown): readonly Finding[] {
  return placeholdersIn(raw, []).map((path) => ({
    path,
    wrong: `still is ${PLACEHOLDER}`,
    remedy: REMEDIES[showPath(path)] ?? 'write what belongs there',
  }));
}

function placeholdersIn(value: unknown, path: Path): readonly Path[] {
  if (typeof value === 'string') return value.includes(PLACEHOLDER) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one, index) => placeholdersIn(one, [...path, index]));
  return Object.entries(value).flatMap(([key, one]) => placeholdersIn(one, [...path, key]));
}
