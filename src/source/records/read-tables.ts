import { ConfigError } from '../../domain/errors.ts';
import type { Settings } from '../../domain/settings.ts';
import type { LookupSettings } from '../../domain/source-settings.ts';
import { LookupProblem, readLookupFile } from '../../lib/lookup-file.ts';
import type { LookupTables } from '../mapping/expressions/function-spec.ts';

/** Reads the tables of `lookup`; throws a `ConfigError` where a file cannot be used. */
export function readTables(lookups: Settings['lookups']): LookupTables {
  return new Map(Object.entries(lookups).map(([name, settings]) => [name, readTable(name, settings)]));
}

function readTable(name: string, settings: LookupSettings): ReadonlyMap<string, string> {
  if ('values' in settings)
    return new Map(Object.entries(settings.values).map(([key, value]) => [key.trim(), String(value).trim()]));
  try {
    return readLookupFile(settings);
  } catch (error) {
    if (!(error instanceof LookupProblem)) throw error;
    throw new ConfigError(`lookups.${name}.file: ${error.message}; ${error.remedy}.`, { cause: error });
  }
}
