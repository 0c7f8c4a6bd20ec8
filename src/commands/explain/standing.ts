import { timeText } from '../../domain/text/time-text.ts';
import { wordsOf } from '../../plan/changes/kinds.ts';
import type { Change, Held } from '../../domain/changes.ts';
import { formerlyOf } from '../../domain/records/former-account.ts';
import type { RecordState } from '../../domain/ports/ledger/entries.ts';
import type { Tone } from '../../domain/text/line.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { Explanation } from './explanation.ts';
import { releaseCommand } from './words.ts';

type Leavers = SyncSettings['leavers'];
type Rules = Pick<SyncSettings, 'leavers' | 'usernameChange'>;
type Situation = (explanation: Explanation, rules: Rules) => string | null;

export interface Standing {
  readonly sentence: string;
  readonly tone: Tone;
}

const STATE = {
  creating: 'being created',
  managed: 'managed',
  disabled: 'managed, disabled by rollcall',
  removed: 'removed',
} as const satisfies Record<RecordState, string>;

function willBe({ kind, guard }: Pick<Change, 'kind' | 'guard'>): string {
  return kind === 'create' && guard === 'usernameReuse' ? 'is to get another account' : wordsOf(kind).willBe;
}

const DONE = { disable: 'disabled', remove: 'removed' } as const satisfies Record<Leavers['action'], string>;

/** Returns who it is: `wang.min (E0042), managed, active`. */
export function whoOf({ label, id, subject, state, locked, seen, leftBy }: Explanation): string {
  const name = id === null || id === label ? label : `${label} (${id})`;
  if (leftBy !== null && seen !== null) return `${label} (organization ${seen.id})`;
  if (state === null) return `${name}, ${id === null || seen !== null ? 'not managed' : 'not managed yet'}`;
  const active = subject === 'person' && state === 'managed' ? (locked ? ', locked' : ', active') : '';
  return `${name}, ${STATE[state]}${active}`;
}

/**
 * Returns one sentence about where the record stands: the first situation that applies, and what else is left
 * out.
 */
export function standingOf(explanation: Explanation, rules: Rules): Standing {
  for (const [situation, tone] of SITUATIONS) {
    const sentence = situation(explanation, rules);
    if (sentence !== null) return { sentence: [sentence, ...partsLeft(explanation)].join('; '), tone };
  }
  const parts = partsLeft(explanation);
  if (parts.length > 0) return { sentence: parts.join('; '), tone: 'care' };
  const sentence = inStep(explanation, rules);
  if (sentence !== null) return { sentence, tone: 'fine' };
  return { sentence: 'nothing more is known about it than what stands below', tone: 'quiet' };
}

/** Returns what is left as it is while the rest of the record goes on. */
function partsLeft({ blocked, heldFromSource: pin = null, subject, id }: Explanation): readonly string[] {
  const parts = blocked
    .filter(({ goesOn }) => goesOn === true)
    .map(({ reason }) => (reason.endsWith(GOES_ON) ? reason : `${reason}; ${GOES_ON}`));
  if (pin === null) return parts;
  const release = `rollcall revert --release ${subject}:${id}`;
  return [
    ...parts,
    `held from the source until ${timeText(pin.until)}, after the revert of ${pin.run}: ${release}`,
  ];
}

const GOES_ON = 'the rest goes on';

const asIs = ({ subject }: Explanation): string => `left as ${subject === 'person' ? 'they are' : 'it is'}`;

const refused: Situation = (it) => {
  const reason = it.live?.samples.find((sample) => sample.refused !== null)?.refused;
  return reason === undefined ? null : `${asIs(it)}: ${reason}`;
};

const failing: Situation = ({ failure, blocked }) => {
  if (failure === null || blocked.some(({ goesOn }) => goesOn !== true)) return null;
  const tries = failure.attempts === 1 ? 'once' : `${failure.attempts} times`;
  return `failing: ${failure.reason} (tried ${tries}, last ${timeText(failure.lastAt)})`;
};

/** Reasons that already say what becomes of the record. */
const SAYS_IT = /^(?:waits |locked |its old node )/u;

const waiting: Situation = (it) => {
  const reason = it.blocked.find(({ goesOn }) => goesOn !== true)?.reason;
  if (reason === undefined) return null;
  return SAYS_IT.test(reason) ? reason : `${asIs(it)}: ${reason}`;
};

const heldBy = ({ guard, hash }: Held): string =>
  `held by sync.guard.${guard} until released: ${releaseCommand(hash)}`;

/** Returns how the last run left the record, where it was held; else `null`. */
function heldBefore({ held: [group], owner }: Explanation): string | null {
  if (group === undefined) return null;
  const isClaim = owner !== null && group.guard === 'usernameReuse';
  const claim = isClaim ? `has the username of ${owner}, who is missing or has left: the same person? ` : '';
  return claim + heldBy(group);
}

const held: Situation = (it) => {
  const { live } = it;
  if (live?.isHeld !== true || live.change === null) return heldBefore(it);
  const [group] = live.held;
  const what = `${willBe(live.change)} (${live.change.why}); `;
  return what + (group === undefined ? 'held with the move of its unit' : heldBy(group));
};

/**
 * A person whose username is claimed does not leave while the claim is open, however often they are missed.
 */
const claimed: Situation = ({ claim }) =>
  claim === null
    ? null
    : `missing in the source, where ${claim.by} has the username now: the same person? ${heldBy(claim.held)}`;

const planned: Situation = ({ live }) => {
  if (live === null || live.change === null) return null;
  const { change } = live;
  const part = live.held.map((group) => `; part of it ${heldBy(group)}`).join('');
  return `${willBe(change)} by the next run: ${change.why}${part}`;
};

/** A node that a unit has left. Where it has to wait longer, its unit says who is still there. */
const oldNode: Situation = ({ leftBy }) =>
  leftBy === null
    ? null
    : `the old node of unit ${leftBy}, which stands on a new one since it moved; removed as soon as it is empty`;

const stranger: Situation = ({ id, seen, subject }) => {
  if (id !== null) return null;
  if (seen === null) return 'neither in the ledger nor in the service';
  return subject === 'person'
    ? 'an employee whom the source does not have or rollcall has not taken over; left alone'
    : 'a unit that the source does not have or rollcall has not taken over; left alone';
};

/** Returns by which expression the record is out of scope now, where every record of it is; else `null`. */
function outOfScope({ live }: Explanation): string | null {
  const all = live?.samples.map((sample) => sample.outOfScope) ?? [];
  return all.includes(null) ? null : (all[0] ?? null);
}

const unknown: Situation = (it) => {
  const { state, live } = it;
  if (state !== null) return null;
  const outside = outOfScope(it);
  if (outside !== null) return `in the source, and ${outside}`;
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
        ? `removed by rollcall ${timeText(last.at)}`
        : 'gone from the service without a call of rollcall';
    return `${how}; the ${subject === 'person' ? 'username' : 'serial number'} stays its own`;
  }
  return state === 'creating'
    ? 'whether its creation was done is in doubt; the next run reads the service'
    : null;
};

const disabled: Situation = ({ state, disabledAt, locked, seen }, { leavers: { removeAfterDays } }) => {
  if (state !== 'disabled') return null;
  if (seen !== null && !locked) return 'somebody else enabled the account since';
  const since = disabledAt === null ? '' : ` since ${timeText(disabledAt)}`;
  const until =
    removeAfterDays === null ? '' : `; removed ${removeAfterDays} days later if still missing in the source`;
  return `out of the service${since}${until}`;
};

const reads = (count: number): string => (count === 1 ? '1 read' : `${count} reads`);

const former: Situation = ({ id, label, state, misses }, { leavers: { misses: limit, action } }) => {
  const person = id === null ? null : formerlyOf(id, label);
  if (person === null || state !== 'managed' || misses > 0) return null;
  return `the account that ${person} had before; will be ${DONE[action]} when ${reads(limit)} in a row did not have it`;
};

const missing: Situation = (it, { leavers: { misses: limit, action } }) => {
  const { misses, live, subject } = it;
  if (subject === 'unit') return null;
  const outside = outOfScope(it);
  if (misses === 0) {
    const isThere = live !== null && live.samples.length > 0 && outside === null;
    if (live === null || live.problems.length > 0 || isThere) return null;
    return `${outside ?? 'not in the source now'}; will be ${DONE[action]} when ${reads(limit)} in a row did not have them`;
  }
  const left = Math.max(limit - misses, 0);
  const what = left === 0 ? `to be ${DONE[action]}` : `will be ${DONE[action]} after ${left} more`;
  const since = `since ${reads(misses)}, ${what}`;
  return outside === null ? `missing in the source ${since}` : `${outside}; ${since}`;
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
  return last === undefined ? 'not read back yet' : `sent ${timeText(last.at)}, not read back yet`;
};

const otherUsername: Situation = ({ label, inSource, readBack }, { usernameChange }) =>
  inSource === null || !readBack
    ? null
    : `in step except for the username, which is ${inSource} in the source and stays ${label} here (sync.usernameChange: ${usernameChange})`;

const inStep: Situation = ({ calls, lastRead }) => {
  const since = calls[0]?.at ?? lastRead;
  return since === null ? null : `in step since ${timeText(since)}`;
};

const SITUATIONS: readonly (readonly [Situation, Tone])[] = [
  [refused, 'care'],
  [failing, 'alarm'],
  [waiting, 'care'],
  [held, 'alarm'],
  [claimed, 'alarm'],
  [planned, 'changes'],
  [oldNode, 'care'],
  [stranger, 'quiet'],
  [unknown, 'care'],
  [gone, 'quiet'],
  [disabled, 'quiet'],
  [former, 'leaves'],
  [missing, 'care'],
  [vanished, 'care'],
  [locked, 'care'],
  [edited, 'care'],
  [unread, 'care'],
  [otherUsername, 'care'],
];
