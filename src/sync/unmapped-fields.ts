import { isRekey, type PersonChange } from '../domain/changes.ts';
import { LISTED_FIELDS, type Fields } from '../domain/fields.ts';
import type { EmployeeBody } from '../domain/service.ts';
import { sameValue } from '../plan/compare.ts';
import { changesOf } from './changes-of.ts';
import { importPeople } from './import-people.ts';
import { failed, journalled } from './journalled.ts';
import { accountOf, bodyOf, isTrusted, shownOtherwise } from './person-body.ts';
import { UNSTOPPABLE, type Run } from './world.ts';

const LOOKS = 3;
const LOOK_AGAIN_MS = 1_000;
/** Records that are tried where what became of one stays unclear. */
const MOST_TRIED = 3;

/**
 * Fields that an account shows and nobody has mapped: not ours to change, and lost where the service clears what an
 * import leaves out, which the interface does not say.
 */
function unmappedOf(run: Run, change: PersonChange): Fields {
  if (change.kind === 'create' || isTrusted(run, change)) return {};
  const employee = run.ledger.view.employee(change.username);
  if (employee?.username !== change.username) return {};
  const { fields } = employee.shown;
  const names = LISTED_FIELDS.filter(
    (name) => !(name in change.payload.fields) && !sameValue(fields[name], null) && fields[name] !== false,
  );
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

/** Why this person is not imported: something would be lost, or might be. `null`: nothing would. */
export function lossReason(run: Run, change: PersonChange): string | null {
  const known = run.ledger.fact('keepsUnmapped');
  if (known === true) return null;
  const names = Object.keys(unmappedOf(run, change));
  if (names.length === 0) return null;
  const why =
    known === null
      ? 'whether the service keeps fields that an import leaves out could not be found out'
      : 'the service clears fields that an import leaves out';
  return (
    `${why}, and this account has ${names.join(', ')}, not mapped: map it under source.people.fields, ` +
    "to { const: '' } where it may be emptied"
  );
}

/**
 * Before anybody who has something to lose is imported: tried on one of them, who gets it back. Returns who was
 * imported that way.
 */
export async function tryUnmapped(run: Run): Promise<ReadonlySet<string>> {
  const tried = new Set<string>();
  if (run.ledger.fact('keepsUnmapped') !== null) return tried;
  for (const change of changesOf(run, 'person', ['adopt', 'update'])) {
    const unmapped = isRekey(change) || change.cause !== null ? {} : unmappedOf(run, change);
    if (Object.keys(unmapped).length === 0) continue;
    tried.add(change.id);
    const keeps = await tryOn(run, change, unmapped);
    if (keeps !== null) run.ledger.setFacts({ keepsUnmapped: keeps });
    if (keeps !== null || tried.size === MOST_TRIED) break;
  }
  return tried;
}

/** Whether the service keeps them; `null`: the import was not taken, or is not seen. */
async function tryOn(run: Run, change: PersonChange, unmapped: Fields): Promise<boolean | null> {
  const body = bodyOf(run, change, accountOf(run, change));
  if (typeof body === 'string') return null;
  await importPeople(run, [{ change, body }]);
  for (let looks = LOOKS; looks > 0; looks -= 1) {
    const [employee] = await run.service.employees([change.username], UNSTOPPABLE);
    if (employee === undefined) return null;
    if (Object.keys(unmapped).some((name) => sameValue(employee.fields[name], null))) {
      await giveBack(run, change, { employeeId: employee.id, body, unmapped });
      return false;
    }
    if (change.fields.length > 0 && shownOtherwise(run, change.payload, employee).length === 0) return true;
    await run.clock.sleep(LOOK_AGAIN_MS, UNSTOPPABLE);
  }
  return true;
}

interface Loss {
  readonly employeeId: string;
  /** All that is mapped, as it was imported. */
  readonly body: EmployeeBody;
  readonly unmapped: Fields;
}

/** By a modification with all that is mapped, and what was shown before. */
async function giveBack(run: Run, change: PersonChange, loss: Loss): Promise<void> {
  const { employeeId, body, unmapped } = loss;
  const names = Object.keys(unmapped).join(', ');
  await journalled(run, {
    operation: 'employee.modify',
    changes: [change],
    splits: false,
    send: async () => {
      const fields = { ...body.fields, ...unmapped };
      await run.service.modifyEmployee(employeeId, { ...body, fields }, UNSTOPPABLE);
      const [now] = await run.service.employees([change.username], UNSTOPPABLE);
      const isBack = Object.keys(unmapped).every((name) => sameValue(now?.fields[name], unmapped[name]));
      const state = isBack ? 'it was set again' : 'and it could not be set again';
      return [failed(run, change, `the import has cleared ${names}, which is not mapped; ${state}`)];
    },
    look: () => Promise.resolve(null),
  });
}
