import type { Operation } from '../terms/operation.ts';
import { partsOf } from '../terms/paths.ts';

/** Returns the names of all parameters that an operation takes: in the path, the query, the form. */
export function namesOf({ path, query, body }: Operation): readonly string[] {
  const form = body.kind === 'form' ? Object.keys(body.fields) : [];
  return [...new Set([...partsOf(path), ...Object.keys(query), ...form])];
}
