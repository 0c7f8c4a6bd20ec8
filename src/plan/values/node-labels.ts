import type { PersonPayload } from '../../domain/records/payload.ts';
import { nodeToCome, spellUnit } from './compare.ts';

interface Nodes {
  readonly orgIdOf: (unit: string | null) => string | undefined;
  /** Returns the unit of any node. Without it only the person's own units are known. */
  readonly unitOf?: ((orgId: string) => string | null | undefined) | undefined;
}

const ANOTHER = '(another node)';

/**
 * Returns how a change spells a node: by its unit, since the plan's hash may not cover service ids (contract, `plan
 * --json`).
 */
export function nodeLabels(
  { orgIdOf, unitOf }: Nodes,
  payloads: readonly PersonPayload[],
): (orgId: string) => string {
  const own = new Map<string, string | null>();
  const units = payloads.flatMap(({ positions }) => positions.map(({ unit }) => unit));
  for (const unit of [null, ...units]) own.set(orgIdOf(unit) ?? nodeToCome(unit), unit);
  return (orgId) => {
    const unit = own.has(orgId) ? own.get(orgId) : unitOf?.(orgId);
    return unit === undefined ? ANOTHER : spellUnit(unit);
  };
}
