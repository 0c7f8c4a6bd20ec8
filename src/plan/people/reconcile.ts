import type { PersonChange } from '../../domain/changes.ts';
import { adopt, askWhetherSame, create } from './join.ts';
import { compare, enable, takeBack, writeAgain } from './keep.ts';
import { count, countedMiss, disable, disableAgain, forget, missesOf, remove } from './leave.ts';
import { match, type Actual, type Desired, type Facts, type Known, type Match } from './match.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { NONE, waits, type PersonDecision, type PersonRules } from './person-decision.ts';

/** What becomes of a person whose three sides are like this. */
type Cell = (facts: Facts, rules: PersonRules) => PersonDecision;

/** By what the service shows. */
type Cells = Readonly<Record<Actual['is'], Cell>>;

const nothing: Cell = () => NONE;
const close: Cell = () => ({ is: 'close', accepted: null });
/** rollcall enables only accounts that it disabled itself (promise 2). */
const lockedByOthers: Cell = () => waits({ code: 'lockedByOthers' });

/**
 * Every case: what the source wants, what the ledger has, what the service shows. All that is planned for a person is in
 * this table; the rest of this room says how.
 */
export const TABLE: Readonly<Record<Desired['is'], Readonly<Record<Known['is'], Cells>>>> = {
  active: {
    unknown: { none: create, active: adopt, locked: lockedByOthers },
    claimed: { none: create, active: adopt, locked: adopt },
    ours: { none: writeAgain, active: compare, locked: lockedByOthers },
    locking: { none: create, active: enable, locked: enable },
    locked: { none: create, active: takeBack, locked: enable },
    gone: { none: create, active: adopt, locked: lockedByOthers },
  },
  inactive: {
    unknown: { none: nothing, active: disable, locked: nothing },
    claimed: { none: forget, active: disable, locked: close },
    ours: { none: forget, active: disable, locked: close },
    locking: { none: forget, active: disable, locked: close },
    locked: { none: forget, active: disableAgain, locked: close },
    gone: { none: forget, active: disable, locked: forget },
  },
  absent: {
    unknown: { none: nothing, active: nothing, locked: nothing },
    claimed: { none: forget, active: count, locked: count },
    ours: { none: forget, active: count, locked: count },
    locking: { none: forget, active: count, locked: count },
    locked: { none: forget, active: disableAgain, locked: remove },
    gone: { none: forget, active: forget, locked: forget },
  },
};

/** Returns what becomes of a person whose identity is clear. Pure. */
function reconcile(facts: Facts, rules: PersonRules): PersonDecision {
  const { desired, known, actual } = facts;
  return TABLE[desired.is][known.is][actual.is](facts, rules);
}

/** Returns one person's step: first whose record and account it is, then what differs. Pure. */
export function decidePerson(row: PersonRow, rules: PersonRules): PersonDecision {
  const matched = match(row);
  switch (matched.is) {
    case 'facts':
      return reconcile(matched.facts, rules);
    case 'contested':
      return asked(matched, rules);
    case 'same':
      return askWhetherSame(matched, rules);
    case 'waits':
      return waiting(matched, rules);
    case 'nothing':
      return missed(matched.missing, rules);
  }
  return matched satisfies never;
}

type Waiting = Extract<Match, { readonly is: 'waits' }>;

/** Waits; a read that has no record of the person is counted. */
function waiting({ reason, missing }: Waiting, rules: PersonRules): PersonDecision {
  const counted = missed(missing, rules);
  return counted.is === 'miss' ? { is: 'blocked', reason, misses: counted.misses } : waits(reason);
}

/** Counts a read that has no record of the person, if there is one. */
const missed = (missing: PersonEntry | undefined, rules: PersonRules): PersonDecision =>
  missing === undefined ? NONE : countedMiss(missing, missesOf(missing, rules));

type Contested = Extract<Match, { readonly is: 'contested' }>;

/** Asks whether the record is the same person's: whatever it brings about waits for the answer. */
function asked({ facts, why, other }: Contested, rules: PersonRules): PersonDecision {
  const decision = reconcile(facts, rules);
  // What else stops it is for later: to unlock the account may be wrong.
  if (decision.is === 'blocked') return waits(why);
  const change = decision.is === 'change' ? decision.change : changeOf(writeAgain(facts, rules));
  if (change === null) return decision;
  const username = {
    field: 'username',
    from: facts.known.entry?.username ?? null,
    to: facts.desired.record?.username ?? null,
  };
  const fields = [username, ...change.fields];
  const claims = other === null ? {} : { claims: other };
  return { is: 'change', change: { ...change, ...claims, fields, why, guard: 'usernameReuse' } };
}

const changeOf = (decision: PersonDecision): PersonChange | null =>
  decision.is === 'change' ? decision.change : null;
