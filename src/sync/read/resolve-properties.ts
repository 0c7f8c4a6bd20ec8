import {
  keysOf,
  learnSchemaIds,
  schemaKeys,
  withoutWaiting,
  withSchemaIds,
  type SchemaKeys,
} from '../../plan/values/schema-keys.ts';
import type { LedgerFacts } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Run } from '../state/world.ts';
import { knownKeys } from './known/known-keys.ts';
import type { SourceRead } from './read-source.ts';

/** Remembers which schemas have the names under `properties`, from what lists have shown anyway. */
export function learnSchemas({ source, ledger, service, full }: Run): void {
  const keys = keysOf(source.rules.person);
  const before = ledger.fact('schemaIds') ?? {};
  const now = learnSchemaIds(before, keys, { schemas: service.dataSchemas(), isAll: full });
  if (JSON.stringify(now) !== JSON.stringify(before)) ledger.setFacts({ schemaIds: now });
}

/**
 * Puts the properties that were staged under a name under the schema's id, where the refresh has shown it. The others
 * wait: they are left out, and told.
 */
export function resolveProperties(run: Run, read: SourceRead): SourceRead {
  const staged = knownKeys(run);
  learnSchemas(run);
  const keys = keysOf(run.source.rules.person);
  const found = schemaKeys(keys, run.ledger.fact('schemaIds') ?? {}, run.service.dataSchemas());
  const newlyWaiting = found.waiting.flatMap(({ key, why, ids }) => {
    const id = staged.idOf.get(key);
    return id === undefined ? [] : [{ key: id, why, ids }];
  });
  if (staged.waiting.length + newlyWaiting.length > 0) {
    const stillWaiting = staged.waiting.filter(({ key }) => !found.idOf.has(key));
    const now = { idOf: found.idOf, waiting: [...stillWaiting, ...newlyWaiting] };
    run.ledger.staging.rewrite((payload) => ({
      ...payload,
      fields: withoutWaiting(withSchemaIds(payload.fields, now), now),
    }));
  }
  noteAwaited(run, staged, found);
  if (found.waiting.length === 0) return read;
  const waits = found.waiting.map(({ why }) => why);
  run.log.note('warn', 'properties wait until their data schema is known', { properties: waits });
  return { ...read, evidence: { ...read.evidence, waits } };
}

/** Remembers which names wait, and which of those that have waited this read put under the ids of their schemas. */
function noteAwaited({ ledger }: Run, staged: SchemaKeys, { waiting }: SchemaKeys): void {
  const before = ledger.fact('awaited') ?? NONE_AWAITED;
  const names = [...new Set([...before.names, ...waiting.map(({ key }) => key)])];
  const going = names.flatMap((name) => {
    const id = staged.idOf.get(name);
    return id === undefined ? [] : [[name, id] as const];
  });
  const now = { names, going: Object.fromEntries(going) };
  if (JSON.stringify(now) !== JSON.stringify(before)) ledger.setFacts({ awaited: now });
}

const NONE_AWAITED: LedgerFacts['awaited'] = { names: [], going: {} };

/** Notes that what had waited and was read under its schema's id has gone out with this run. */
export function forgetAwaited({ ledger }: Run): void {
  const { names, going } = ledger.fact('awaited') ?? NONE_AWAITED;
  if (Object.keys(going).length === 0) return;
  ledger.setFacts({ awaited: { names: names.filter((name) => !(name in going)), going: {} } });
}
