import type { Blocked, Held } from '../domain/changes.ts';
import type { RecordedFailure } from '../domain/journal.ts';
import type { KeptUsername, RecordState, RunRecord } from '../domain/ledger.ts';
import { heldLines } from '../plan/describe-held.ts';
import type { NextRuns } from '../runtime/schedule.ts';

export interface Status {
  readonly ledger: string;
  readonly runs: readonly RunRecord[];
  readonly units: number;
  readonly people: Readonly<Record<RecordState, number>>;
  readonly unmanaged: number;
  readonly unmanagedEmployees:
    readonly { readonly username: string; readonly id: string; readonly locked: boolean }[] | null;
  readonly held: readonly Held[];
  readonly blocked: readonly Blocked[];
  readonly failing: readonly RecordedFailure[];
  readonly kept: readonly KeptUsername[];
  /** Of the daemon; `null` where none runs. */
  readonly next: NextRuns | null;
  readonly heartbeat: number | null;
}

const FIRST = 20;
const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Status as a person reads it. Times are UTC. */
export function describeStatus(status: Status): readonly string[] {
  return [
    ...runLines(status),
    `managed     ${status.units} units, ${status.people.managed} people (${status.people.disabled} disabled by us)`,
    `unmanaged   ${status.unmanaged} employees here whom the source does not have (--unmanaged lists them)`,
    ...nextLines(status),
    ...unknownLines(status),
    ...heldBlocks(status),
    ...listLines('failing', status.failing, (failure) => {
      const tries = failure.attempts === 1 ? 'once' : `${failure.attempts} times`;
      return `${failure.reason} (${tries}, last ${time(failure.lastAt)})`;
    }),
    ...listLines('blocked or waiting', status.blocked, ({ reason }) => reason),
    ...listLines('another username in the source', status.kept, ({ inSource }) => `${inSource} there`),
    ...unmanagedLines(status),
  ];
}

function runLines({ runs, ledger }: Status): readonly string[] {
  if (runs.length === 0) return [`no run yet (ledger ${ledger})`];
  return runs.map(({ id, kind, startedAt, result, report }, index) => {
    const applied = typeof report?.['applied'] === 'number' ? `, ${report['applied']} applied` : '';
    const error = typeof report?.['error'] === 'string' ? `: ${report['error']}` : '';
    const label = index === 0 ? 'last run' : '';
    return `${label.padEnd(12)}${time(startedAt)} UTC  ${kind}  ${result ?? 'not ended'}${applied}${error}  [${id}]`;
  });
}

function nextLines({ next, heartbeat }: Status): readonly string[] {
  if (next === null) {
    const last = heartbeat === null ? '' : ` (last heartbeat ${time(heartbeat)} UTC)`;
    return [`next run    no daemon is running${last}: start it with rollcall run`];
  }
  const full = next.full === null ? '' : `, full ${time(next.full.getTime())} UTC`;
  return [`next run    ${time(next.incremental.getTime())} UTC${full}`];
}

/** Of the last run that ended: its fields stay as they are until the configuration is corrected. */
function unknownLines({ runs }: Status): readonly string[] {
  const unknown = runs.find(({ report }) => report !== null)?.report?.['unknown'];
  if (!Array.isArray(unknown) || unknown.length === 0) return [];
  const lines = unknown.map((attribute) => `  ${String(attribute)}`);
  return [
    '',
    'attributes of the configuration that the directory does not know (their fields stay as they are):',
    ...lines,
  ];
}

function heldBlocks({ held }: Status): readonly string[] {
  return held.flatMap((one) => {
    const [numbers, records] = heldLines(one);
    const release = `  look at them with rollcall plan, release them with: rollcall sync --approve ${one.hash}`;
    return ['', `held ${numbers}`, records, release];
  });
}

interface Listed {
  readonly subject: string;
  readonly id: string;
  readonly label: string;
}

function listLines<T extends Listed>(
  title: string,
  items: readonly T[],
  text: (item: T) => string,
): readonly string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, FIRST).map((item) => {
    const name = item.label === item.id ? item.id : `${item.label} (${item.id})`;
    return `  ${item.subject} ${name}: ${text(item)}`;
  });
  const more = items.length > FIRST ? [`  … and ${items.length - FIRST} more (--json lists them)`] : [];
  return ['', `${title} (${items.length}):`, ...lines, ...more];
}

function unmanagedLines({ unmanagedEmployees }: Status): readonly string[] {
  if (unmanagedEmployees === null) return [];
  const lines = unmanagedEmployees.map(
    ({ username, id, locked }) => `  ${username} (${id})${locked ? ' locked' : ''}`,
  );
  return ['', `unmanaged (${unmanagedEmployees.length}):`, ...lines];
}
