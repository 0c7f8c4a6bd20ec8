import { digest } from '../../../lib/digest.ts';
import { keysOf, schemaKeys, type SchemaKeys } from '../../../plan/values/schema-keys.ts';
import type { Run } from '../../state/world.ts';

/** Returns what earlier runs found out about names of properties. */
export function knownKeys({ source, ledger }: Run): SchemaKeys {
  return schemaKeys(keysOf(source.rules.person), ledger.fact('schemaIds') ?? {});
}

/** Returns what goes into every hash: with other ids for names every record is compared anew. */
export function saltOf({ source }: Run, { idOf, waiting }: SchemaKeys): string {
  if (idOf.size === 0 && waiting.length === 0) return digest(source.fingerprint);
  return digest(JSON.stringify([source.fingerprint, [...idOf], waiting.map(({ ids }) => ids)]));
}
