import type { PersonChange } from '../../domain/changes.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { shownOf, type Shown } from '../../domain/ports/shown.ts';
import { isMasked } from '../../plan/values/masked.ts';
import { isNothing } from '../../plan/values/new-account.ts';
import { UNMAPPED_KINDS } from '../../plan/values/unmapped.ts';
import { itemOf } from '../calls/call-item.ts';
import { failed, journalled } from '../calls/journalled.ts';
import { bodyOf } from '../calls/person-body.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';
import { listSome } from '../../domain/text/printable.ts';

const PROPERTY = /^properties\.(?<id>.*)$/su;

function valueOf(name: string, { fields }: Pick<Employee, 'fields'>): FieldValue | null {
  const id = PROPERTY.exec(name)?.groups?.['id'];
  if (id === undefined) return fields[name] ?? null;
  const properties = (fields['properties'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  return properties[id] ?? null;
}

/** Returns those of the values that the account does not show any more. */
export function lostOf(values: Fields, employee: Pick<Employee, 'fields'>): Fields {
  const lost = Object.entries(values).filter(
    ([name, value]) => value !== null && isNothing(name, valueOf(name, employee)),
  );
  return Object.fromEntries(lost);
}

/** Returns it as it would be shown with these values as well. */
export function withValues(shown: Shown, values: Fields): Shown {
  const fields: Record<string, FieldValue | null> = { ...shown.fields };
  for (const [name, value] of Object.entries(values)) {
    const id = PROPERTY.exec(name)?.groups?.['id'];
    const properties = (fields['properties'] ?? {}) as Readonly<Record<string, readonly string[]>>;
    if (id === undefined) fields[name] = value;
    else if (Array.isArray(value)) fields['properties'] = { ...properties, [id]: value as readonly string[] };
  }
  return { ...shown, fields };
}

interface Loss {
  readonly lost: Fields;
  readonly employee: Employee;
}

/**
 * Gives it back by a modification with all that is mapped, and what was shown before; a masked value cannot be given
 * back.
 */
export async function giveBack(
  run: SendingRun,
  change: PersonChange,
  { lost, employee }: Loss,
): Promise<void> {
  const values = Object.fromEntries(Object.entries(lost).filter(([, value]) => !isMasked(value)));
  const body = bodyOf(run, change, withValues(shownOf(employee), values), new Set(UNMAPPED_KINDS));
  if (typeof body === 'string' || Object.keys(values).length === 0) return;
  const names = listSome(Object.keys(values), { atMost: 10 });
  await journalled(run, {
    operation: 'employee.modify',
    items: [itemOf(run, change)],
    splits: false,
    send: async () => {
      await run.service.modifyEmployee(employee.id, body, UNSTOPPABLE);
      const answer = await run.service.employees([change.username], UNSTOPPABLE);
      const now = answer.found.get(change.username);
      if (now !== undefined) run.ledger.view.saveEmployees([change.username], answer);
      if (now !== undefined && Object.keys(lostOf(values, now)).length === 0)
        return [{ is: 'modified', id: change.id }];
      return [
        failed(
          run,
          change,
          `the import has cleared ${names}, which is not mapped, and it could not be set again`,
        ),
      ];
    },
    look: () => Promise.resolve(null),
  });
}
