import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { sameValue } from '../../plan/values/compare.ts';
import { readBack } from '../ask/read-nodes.ts';
import type { LogoBook } from '../state/logo-book.ts';
import type { SendingRun } from '../state/world.ts';
import { STORED_OTHERWISE } from './verify-people.ts';

const AS_BEFORE = 'was changed, but is shown exactly as before: it is changed once more';

/**
 * Reads back the units that were written. If an update has changed nothing of what a node shows, it was not done, or shows
 * later. The next run writes such a unit whole, and plans no field: then the service has its own way to keep what was sent.
 */
export async function verifyUnits(run: SendingRun, since: number): Promise<void> {
  const { ledger, lists, logos } = run;
  const { plan, view } = ledger;
  const written = writtenUnits(ledger.units.all(), ledger.troubles.failures());
  if (written.size === 0) return;
  const before = new Map(view.organizations().map(({ id, fields }) => [id, JSON.stringify(fields)]));
  const isAsSent = (node: Organization): boolean =>
    storedOtherwise(logos, written.get(node.id), node).length === 0;
  const nodes = await readBack(run.service, [...written.keys()], { since, isAsSent, signal: run.stop });
  for (const node of nodes.values()) {
    const entry = written.get(node.id);
    if (entry === undefined) continue;
    const unit = { subject: 'unit', id: entry.id } as const;
    const other = storedOtherwise(logos, entry, node);
    const isAsBefore = other.length > 0 && before.get(node.id) === JSON.stringify(node.fields);
    if (isAsBefore && plan.updatedFields(unit).some((field) => other.includes(field))) {
      const failure: Failure = { ...unit, label: node.name, reason: AS_BEFORE };
      ledger.troubles.failed([failure]);
      lists.failed(failure);
      continue;
    }
    if (other.length > 0) run.log.note('debug', STORED_OTHERWISE, { ...unit, fields: other });
    ledger.transaction(() => {
      view.saveOrganizations([node], false);
      ledger.units.note({ is: 'accepted', unit: entry.id, fields: node.fields });
    });
  }
}

/**
 * Returns the units that were written and not read back, by their nodes. What a unit shows whose last write may not have
 * been done is no answer to it: the next run writes it again.
 */
function writtenUnits(
  entries: readonly UnitEntry[],
  failures: readonly { readonly subject: string; readonly id: string; readonly kind: string }[],
): ReadonlyMap<string, UnitEntry> {
  const inDoubt = new Set(
    failures.flatMap(({ subject, kind, id }) => (subject === 'unit' && kind === 'doubt' ? [id] : [])),
  );
  return new Map(
    entries.flatMap((entry) => {
      const { id, state, orgId, accepted } = entry;
      const isWritten = state === 'managed' && accepted === null && !inDoubt.has(id);
      return isWritten && orgId !== null ? [[orgId, entry] as const] : [];
    }),
  );
}

/** Returns the fields that a node shows with another value than was sent. */
function storedOtherwise(
  logos: LogoBook,
  entry: UnitEntry | undefined,
  { fields }: Organization,
): readonly string[] {
  const sent = logos.withMediaId(entry?.sent.fields ?? {});
  return Object.keys(sent).filter((name) => name in fields && !sameValue(sent[name], fields[name]));
}
