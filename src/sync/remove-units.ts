import type { UnitChange } from '../domain/changes.ts';
import { AmbiguousError, RefusedError } from '../domain/errors.ts';
import type { NodeContents } from '../domain/service.ts';
import { changesOf } from './changes-of.ts';
import { journalled } from './journalled.ts';
import { UNSTOPPABLE, type Run } from './world.ts';

const ORGANIZATION_NOT_FOUND = 208502;
const HAS_EMPLOYEES = 208507;

/** Removes units, children first, each only after a look shows it empty; the others wait, which is no failure. */
export async function removeUnits(run: Run): Promise<void> {
  for (const change of changesOf(run, 'unit', ['remove'])) {
    const { orgId } = change;
    if (orgId === null) continue;
    const waitsFor = await occupants(run, orgId);
    if (waitsFor === null) await deleteUnit(run, change, orgId);
    else wait(run, change, waitsFor);
  }
}

/** Who is still there, or `null` where nobody is: anybody's children and employees (promise 3). */
async function occupants(run: Run, orgId: string): Promise<string | null> {
  try {
    const node = await run.service.organization(orgId, UNSTOPPABLE);
    return node === null ? null : describeContents(await run.service.contents(orgId, UNSTOPPABLE));
  } catch (error) {
    if (error instanceof AmbiguousError || error instanceof RefusedError) return `unknown (${error.message})`;
    throw error;
  }
}

function describeContents({ children, employees, more }: NodeContents): string | null {
  if (children.length === 0 && employees.length === 0 && !more) return null;
  const units = children.length === 0 ? [] : [`units ${children.join(', ')}`];
  const people = employees.length === 0 ? [] : [`employees ${employees.join(', ')}`];
  return [...units, ...people].join(' and ') + (more ? ' and more' : '');
}

/** Waiting is listed by status; it is neither failed nor blocked. */
function wait(run: Run, { id, name: label }: UnitChange, who: string): void {
  run.ledger.staging.blocked({
    subject: 'unit',
    id,
    label,
    reason: `waits to be removed, still there: ${who}`,
  });
}

async function deleteUnit(run: Run, change: UnitChange, orgId: string): Promise<void> {
  const gone = [{ is: 'unitGone', id: change.id }] as const;
  await journalled(run, {
    operation: 'org.delete',
    changes: [change],
    send: async () => {
      try {
        await run.service.deleteOrganization(orgId, UNSTOPPABLE);
        return gone;
      } catch (error) {
        if (error instanceof RefusedError && error.status === ORGANIZATION_NOT_FOUND) return gone;
        if (!(error instanceof RefusedError && error.status === HAS_EMPLOYEES)) throw error;
        wait(run, change, 'employees whom the service does not show');
        return [];
      }
    },
    splits: false,
    look: async () => ((await run.service.organization(orgId, UNSTOPPABLE)) === null ? gone : null),
  });
}
