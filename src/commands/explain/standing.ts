import type { Change, Held } from '../../domain/changes.ts';
import { formerlyOf } from '../../domain/former-account.ts';
import type { RecordState } from '../../domain/ledger.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { Explanation } from './explanation.ts';
import { releaseCommand, timeOf } from './words.ts';

type Leavers = SyncSettings['leavers'];
type Situation = (explanation: Explanation, leavers: Leavers) => string | null;

const STATE = {
  creating: 'being created',
  managed: 'managed',
  disabled: 'managed, disabled by rollcall',
  removed: 'removed',
} as const satisfies Record<RecordState, string>;

const WILL = {
  create: 'is to be created',
  update: 'is to be updated',
  move: 'is to be moved',
  adopt: 'is to be taken over as it is in the service',
  enable: 'is to be enabled',
  disable: 'is to be disabled',
  remove: 'is to be removed',
  forget: 'is no longer in the service, and is to be forgotten',
} as const satisfies Record<Change['kind'], string>;

function willBe({ kind, guard }: Pick<Change, 'kind' | 'guard'>): string {
  return kind === 'create' && guard === 'usernameReuse' ? 'is to get another account' : WILL[kind];
}

const DONE = { disable: 'disabled', remove: 'removed' } as const satisfies Record<Leavers['action'], string>;

/** Who it is: `wang.min (E0042), managed, active`. */
export function whoOf({ label, id, subject, state, locked, seen }: Explanation): string {
  const name = id === null || id === label ? label : `${label} (${id})`;
  if (state === null) return `${name}, ${id === null || seen !== null ? 'not managed' : 'not managed yet'}`;
  const active = subject === 'person' && state === 'managed' ? (locked ? ', locked' : ', active') : '';
  return `${name}, ${STATE[state]}${active}`;
}

/** Where it stands, in one sentence: the first of these that applies. */
export function standingOf(explanation: Explanation, leavers: Leavers): string {
  for (const situation of SITUATIONS) {
    const sentence = situation(explanation, leavers);
    if (sentence !== null) return sentence;
  }
  return 'nothing is known of it but what stands below';
}

const asIs = ({ subject }: Explanation): string => `left as ${subject === 'person' ? 'they are' : 'it is'}`;

const refused: Situation = (it) => {
  const reason = it.live?.samples.find((sample) => sample.refused !== null)?.refused;
  return reason === undefined ? null : `${asIs(it)}: ${reason}`;
};

const failing: Situation = ({ failure, blocked }) => {
  if (failure === null || blocked.length > 0) return null;
  const tries = failure.attempts === 1 ? 'once' : `${failure.attempts} times`;
  return `failing: ${failure.reason} (tried ${tries}, last ${timeOf(failure.lastAt)})`;
};

/** Of a record that lost a single field. */
const GOES_ON = 'the rest goes on';

const waiting: Situation = (it) => {
  const [reason] = it.blocked;
  if (reason === undefined) return null;
  const isSaid = reason.startsWith('waits ') || reason.startsWith('locked ') || reason.endsWith(GOES_ON);
  return isSaid ? reason : `${asIs(it)}: ${reason}`;
};

const heldBy = ({ guard, hash }: Held): string =>
  `held by sync.guard.${guard} until released: ${releaseCommand(hash)}`;

const held: Situation = ({ held: groups, live }) => {
  const change = live?.isHeld === true ? live.change : null;
  const [group] = change === null ? groups : (live?.held ?? []);
  const what = change === null ? '' : `${willBe(change)} (${change.why}); `;
  if (group !== undefined) return what + heldBy(group);
  return change === null ? null : `${what}held with the move of its unit`;
};

const planned: Situation = ({ live }) => {
  if (live === null || live.change === null) return null;
  const { change } = live;
  const part = live.held.map((group) => `; part of it ${heldBy(group)}`).join('');
  return `${willBe(change)} by the next run: ${change.why}${part}`;
};

const stranger: Situation = ({ id, seen, subject }) => {
  if (id !== null) return null;
  if (seen === null) return 'neither in the ledger nor in the service';
  return subject === 'person'
    ? 'an employee whom the source does not have or rollcall has not taken over; left alone'
    : 'a unit that the source does not have or rollcall has not taken over; left alone';
};

const unknown: Situation = ({ state, live }) => {
  if (state !== null) return null;
  if (live === null) return 'seen by the last run and not brought into the service';
  return live.problems.length > 0
    ? 'in the source; what a run would do could not be found out'
    : 'in the source, and nothing is to be done';
};

const GONE_BY_US: ReadonlySet<string> = new Set(['personGone', 'unitGone']);

const gone: Situation = ({ state, subject, calls }) => {
  if (state === 'removed') {
    const [last] = calls;
    const how =
      last !== undefined && GONE_BY_US.has(last.outcome)
        ? `removed by rollcall ${timeOf(last.at)}`
        : 'gone from the service without a call of rollcall';
    return `${how}; the ${subject === 'person' ? 'username' : 'serial number'} stays its own`;
  }
  return state === 'creating'
    ? 'whether its creation was done is in doubt; the next run reads the service'
    : null;
};

const disabled: Situation = ({ state, disabledAt, locked, seen }, { removeAfterDays }) => {
  if (state !== 'disabled') return null;
  if (seen !== null && !locked) return 'somebody else enabled the account since';
  const since = disabledAt === null ? '' : ` since ${timeOf(disabledAt)}`;
  const until =
    removeAfterDays === null ? '' : `; removed ${removeAfterDays} days later if still missing in the source`;
  return `out of the service${since}${until}`;
};

const reads = (count: number): string => (count === 1 ? '1 read' : `${count} reads`);

const former: Situation = ({ id, label, state, misses }, { misses: limit, action }) => {
  const person = id === null ? null : formerlyOf(id, label);
  if (person === null || state !== 'managed' || misses > 0) return null;
  return `the account that ${person} had before; will be ${DONE[action]} when ${reads(limit)} in a row did not have it`;
};

const missing: Situation = ({ misses, live, subject }, { misses: limit, action }) => {
  if (subject === 'unit') return null;
  if (misses === 0) {
    if (live === null || live.problems.length > 0 || live.samples.length > 0) return null;
    return `not in the source now; will be ${DONE[action]} when ${reads(limit)} in a row did not have them`;
  }
  const left = Math.max(limit - misses, 0);
  const what = left === 0 ? `to be ${DONE[action]}` : `will be ${DONE[action]} after ${left} more`;
  return `missing in the source since ${reads(misses)}, ${what}`;
};

const vanished: Situation = ({ seen, readBack }) =>
  seen === null && readBack ? 'not in the service as last seen, and not removed by rollcall' : null;

const locked: Situation = ({ locked: isLocked, calls }) => {
  if (!isLocked) return null;
  const [last] = calls;
  return last?.operation === 'employee.disable' && last.outcome !== 'failed'
    ? 'locked in the service after a call of rollcall whose outcome is in doubt; the next run finds out'
    : 'locked in the service by somebody else; nothing is sent';
};

const edited: Situation = ({ edited: fields }) =>
  fields.length === 0 ? null : `edited in the service by somebody else: ${fields.join(', ')}`;

const unread: Situation = ({ readBack, calls }) => {
  if (readBack) return null;
  const [last] = calls;
  return last === undefined ? 'not read back yet' : `sent ${timeOf(last.at)}, not read back yet`;
};

const inStep: Situation = ({ calls, lastRead }) => {
  const since = calls[0]?.at ?? lastRead;
  return since === null ? null : `in step since ${timeOf(since)}`;
};

const SITUATIONS: readonly Situation[] = [
  refused,
  failing,
  waiting,
  held,
  planned,
  stranger,
  unknown,
  gone,
  disabled,
  former,
  missing,
  vanished,
  locked,
  edited,
  unread,
  inStep,
];
