import { sourceProblem } from './source-problems.ts';
import type { SecretSource } from '../../domain/source-settings.ts';
import { readSecret, SecretProblem } from '../../lib/read-secret.ts';

/**
 * Returns a secret of a source as it is now. Throws a SourceError that does not show it.
 * @param key its place in the configuration
 */
export async function sourceSecret(source: SecretSource, key: string): Promise<string> {
  try {
    return await readSecret(source);
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error;
    throw sourceProblem('source-secret', { key, why: error.message }, { cause: error });
  }
}
