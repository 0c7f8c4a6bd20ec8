import { describe, expect, test } from 'vitest';

import type { PersonEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { PersonDecision } from '../../src/plan/people/person-decision.ts';
import { decidePerson, reconcile } from '../../src/plan/people/reconcile.ts';
import type { Actual, Desired, Known } from '../../src/plan/people/match.ts';
import { at, employee, entry, NOW, row, rules, shown, staged, SYNC } from './build.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** `update(updates)`, `blocked`, `miss 1`: a decision in a few letters. */
function brief(decision: PersonDecision): string {
  if (decision.is === 'miss') return `miss ${decision.misses}`;
  if (decision.is !== 'change') return decision.is;
  const { kind, guard } = decision.change;
  return guard === null ? kind : `${kind}(${guard})`;
}

/** Columns: desired, known, then the account: none, active, locked. */
const CELLS = `
  active   unknown create(joiners) adopt            blocked
  active   claimed create(joiners) adopt            adopt
  active   ours    update          close            blocked
  active   locking create(gone)    enable(joiners)  enable(joiners)
  active   locked  create(gone)    update(updates)  enable(joiners)
  active   gone    create(gone)    adopt            blocked
  inactive unknown none            disable(adopted) none
  inactive claimed forget          disable(leavers) close
  inactive ours    forget(gone)    disable(leavers) close
  inactive locking forget(gone)    disable(leavers) close
  inactive locked  forget(gone)    disable(leavers) close
  inactive gone    forget(gone)    disable(adopted) forget(gone)
  absent   unknown none            none             none
  absent   claimed forget          miss_1           miss_1
  absent   ours    forget(gone)    miss_1           miss_1
  absent   locking forget(gone)    miss_1           miss_1
  absent   locked  forget(gone)    disable(leavers) none
  absent   gone    forget(gone)    forget(gone)     forget(gone)
`;

const KNOWN: Readonly<Record<Known['is'], PersonEntry | null>> = {
  unknown: null,
  claimed: entry({ state: 'creating', employeeId: null, accepted: null }),
  ours: entry(),
  locking: entry(),
  locked: entry({ state: 'disabled', disabledAt: NOW - DAY }),
  gone: entry(),
};
const ACTUAL: Readonly<Record<Actual['is'], Actual['employee']>> = {
  none: null,
  active: employee(),
  locked: employee({ locked: true }),
};

const cellsOf = CELLS.trim()
  .split('\n')
  .flatMap((line) => {
    const [desired, known, ...results] = line.trim().split(/\s+/u) as [
      Desired['is'],
      Known['is'],
      ...string[],
    ];
    return Object.entries(ACTUAL).map(([actual, account], index) => ({
      desired,
      known,
      actual: actual as Actual['is'],
      account,
      result: results[index]!.replace('_', ' '),
    }));
  });

describe('every cell', () => {
  test.each(cellsOf)('$desired, $known, $actual: $result', ({ desired, known, actual, account, result }) => {
    const record = desired === 'absent' ? null : staged({ active: desired === 'active' });
    const facts = {
      id: '7',
      desired: { is: desired, record },
      known: { is: known, entry: KNOWN[known] },
      actual: { is: actual, employee: account },
      isLeftOut: false,
    };
    expect(brief(reconcile(facts, rules()))).toBe(result);
  });

  test('is there', () => {
    expect(cellsOf).toHaveLength(3 * Object.keys(KNOWN).length * Object.keys(ACTUAL).length);
  });
});

const SOURCE: Readonly<Record<string, PersonRow['record']>> = {
  active: staged(),
  changed: staged({
    payload: { fields: { name: 'Anna', email: 'ann@example.com' }, positions: [at('sales')] },
  }),
  unchanged: 'unchanged',
  inactive: staged({ active: false }),
  unknown: staged({ active: null }),
  missing: null,
  left: 'left',
};
const LEDGER: Readonly<Record<string, PersonEntry | null>> = {
  unknown: null,
  creating: entry({ state: 'creating', employeeId: null, accepted: null }),
  managed: entry(),
  disabled: entry({ state: 'disabled', disabledAt: NOW - DAY }),
  removed: entry({ state: 'removed', accepted: null }),
};
const SERVICE: Readonly<Record<string, PersonRow['employee']>> = {
  same: employee(),
  edited: employee({ shown: shown({ name: 'Ann', email: 'other@example.com' }) }),
  locked: employee({ locked: true }),
  gone: null,
};

/** Columns: source, ledger, then the service: same, edited, locked, gone. */
const TABLE = `
  active    unknown   adopt            adopt(adopted)   blocked  create(joiners)
  active    creating  adopt            adopt            adopt    create(joiners)
  active    managed   close            update(updates)  blocked  create(gone)
  active    disabled  update(updates)  update(updates)  enable(joiners) create(gone)
  active    removed   adopt            adopt(adopted)   blocked  create(joiners)
  changed   unknown   adopt(adopted)   adopt(adopted)   blocked  create(joiners)
  changed   creating  adopt            adopt            adopt    create(joiners)
  changed   managed   update(updates)  update(updates)  blocked  create(gone)
  changed   disabled  update(updates)  update(updates)  enable(joiners) create(gone)
  changed   removed   adopt(adopted)   adopt(adopted)   blocked  create(joiners)
  unchanged managed   close            update(updates)  blocked  create(gone)
  inactive  unknown   disable(adopted) disable(adopted) none     none
  inactive  creating  disable(leavers) disable(leavers) close    forget
  inactive  managed   disable(leavers) disable(leavers) close    forget(gone)
  inactive  disabled  disable(leavers) disable(leavers) close    forget(gone)
  inactive  removed   disable(adopted) disable(adopted) none     none
  unknown   unknown   blocked          blocked          blocked  blocked
  unknown   creating  blocked          blocked          blocked  blocked
  unknown   managed   blocked          blocked          blocked  blocked
  unknown   disabled  blocked          blocked          blocked  blocked
  unknown   removed   blocked          blocked          blocked  blocked
  left      unknown   disable(adopted) disable(adopted) none     none
  left      creating  disable(leavers) disable(leavers) close    forget
  left      managed   disable(leavers) disable(leavers) close    forget(gone)
  left      disabled  disable(leavers) disable(leavers) close    forget(gone)
  left      removed   disable(adopted) disable(adopted) none     none
  missing   unknown   none             none             none     none
  missing   creating  miss_1           miss_1           miss_1   forget
  missing   managed   miss_1           miss_1           miss_1   forget(gone)
  missing   disabled  disable(leavers) disable(leavers) none     forget(gone)
  missing   removed   none             none             none     none
`;

const CASES = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [source, ledger, ...results] = line.trim().split(/\s+/u);
    return Object.keys(SERVICE).map((service, index) => ({
      source: source!,
      ledger: ledger!,
      service,
      result: results[index]!.replace('_', ' '),
    }));
  });

describe('the table of cases', () => {
  test.each(CASES)('source $source, ledger $ledger, service $service: $result', (world) => {
    const { source, ledger, service, result } = world;
    const one = row({ record: SOURCE[source]!, entry: LEDGER[ledger]!, employee: SERVICE[service]! });
    expect(brief(decidePerson(one, rules()))).toBe(result);
  });
});

function decide(options: Partial<PersonRow>, sync: Partial<SyncSettings> = {}): PersonDecision {
  return decidePerson(row(options), rules({ sync: { ...SYNC, ...sync } }));
}

/** The planned change, or a failed test. */
function changeOf(decision: PersonDecision) {
  if (decision.is !== 'change') throw new Error(`no change but ${JSON.stringify(decision)}`);
  return decision.change;
}

/** Missing, and disabled by us at that time. */
function longDisabled(disabledAt: number | null, misses = 2): Partial<PersonRow> {
  return {
    record: null,
    entry: entry({ state: 'disabled', disabledAt, misses }),
    employee: employee({ locked: true }),
  };
}

const annIsProtected = (sync: SyncSettings) => rules({ sync, isProtected: (username) => username === 'ann' });

test.each([
  ['spelled as before', 'ANN', 'ann'],
  ['under the username of the record', 'anna', 'anna'],
])('an account that is gone is made again %s', (_, username, made) => {
  const gone = { record: staged({ username }), entry: entry(), employee: null, inSource: username };
  expect(changeOf(decide(gone))).toMatchObject({ kind: 'create', username: made });
});

describe('who is missing', () => {
  const missing = { record: null };
  const leavers = SYNC.leavers;

  test('is left alone within ten minutes of the last miss, and counted after', () => {
    const third = { ...leavers, misses: 3 };
    const before = entry({ misses: 1, missedAt: NOW - 10 * MINUTE + 1 });
    expect(brief(decide({ ...missing, entry: before }, { leavers: third }))).toBe('none');
    const after = entry({ misses: 1, missedAt: NOW - 10 * MINUTE });
    expect(brief(decide({ ...missing, entry: after }, { leavers: third }))).toBe('miss 2');
  });

  test('is disabled at the second miss, with what was sent', () => {
    const change = changeOf(decide({ ...missing, entry: entry({ misses: 1, missedAt: NOW - 10 * MINUTE }) }));
    expect(change).toMatchObject({ kind: 'disable', guard: 'leavers', username: 'ann', employeeId: '900' });
    expect(change.payload).toEqual(entry().sent);
    expect(change.why).toEqual({ code: 'missed', values: { how: 'missing', reads: 2 } });
  });

  test('still leaves when a guard held the disable before', () => {
    const held = entry({ misses: 2, missedAt: NOW - 1 });
    expect(brief(decide({ ...missing, entry: held }))).toBe('disable(leavers)');
  });

  test('is removed where that is the action', () => {
    const action = { ...leavers, misses: 1, action: 'remove' as const };
    expect(brief(decide(missing, { leavers: action }))).toBe('remove(leavers)');
  });

  test('is removed so many days after our own disable, and not a moment before', () => {
    const sync = { leavers: { ...leavers, removeAfterDays: 30 } };
    expect(brief(decide(longDisabled(NOW - 30 * DAY + 1), sync))).toBe('none');
    expect(brief(decide(longDisabled(NOW - 30 * DAY), sync))).toBe('remove(leavers)');
    expect(brief(decide(longDisabled(null), sync))).toBe('none');
  });

  test('is not removed by one read that misses an account which was disabled before', () => {
    const sync = { leavers: { ...leavers, removeAfterDays: 0 } };
    expect(brief(decide(longDisabled(NOW, 0), sync))).toBe('miss 1');
    expect(brief(decide(longDisabled(NOW, 1), sync))).toBe('remove(leavers)');
  });
});

describe('who is inactive', () => {
  const inactive = { record: staged({ active: false }) };

  test('is never removed, whatever the days and the action', () => {
    const sync = { leavers: { ...SYNC.leavers, action: 'remove' as const, removeAfterDays: 0 } };
    const locked = employee({ locked: true });
    const disabled = entry({ state: 'disabled', disabledAt: 0 });
    expect(brief(decide(inactive, sync))).toBe('disable(leavers)');
    expect(brief(decide({ ...inactive, entry: disabled, employee: locked }, sync))).toBe('close');
  });

  test('loses the headships that we gave and the account shows, which the change lists', () => {
    const head = { job_title: 'Boss', chief: true };
    const positions = [at('sales', head), at('tech', head)];
    const there = { fields: {}, positions: [{ orgId: '51', fields: { ...head, primary: true } }] };
    const who = { ...inactive, employee: employee({ shown: there }) };
    const lost = changeOf(decide({ ...who, entry: entry({ sent: { fields: {}, positions } }) }));
    expect(lost.fields).toEqual([
      {
        field: 'positions',
        from: ['sales chief job_title=Boss', 'tech chief job_title=Boss'],
        to: ['sales job_title=Boss', 'tech chief job_title=Boss'],
      },
    ]);
    expect(changeOf(decide(who)).fields).toEqual([]);
  });
});

describe('protected people', () => {
  test('are neither disabled nor removed', () => {
    const removing = { ...SYNC, leavers: { ...SYNC.leavers, misses: 1, action: 'remove' as const } };
    expect(decidePerson(row({ record: null }), annIsProtected(removing))).toEqual({
      is: 'blocked',
      misses: 1,
      reason: { code: 'protected', values: { kind: 'remove', because: 'missed', how: 'missing', reads: 1 } },
    });
    const inactive = row({ record: staged({ active: false }) });
    expect(brief(decidePerson(inactive, annIsProtected(SYNC)))).toBe('blocked');
  });

  test('are updated like everybody', () => {
    expect(brief(decidePerson(row({ record: SOURCE['changed']! }), annIsProtected(SYNC)))).toBe(
      'update(updates)',
    );
  });
});

describe('edited by somebody else', () => {
  const edited = { employee: SERVICE['edited']! };

  test('is repaired: from what is shown to what was there', () => {
    const change = changeOf(decide(edited));
    expect(change.why).toEqual({ code: 'edited' });
    expect(change.fields).toEqual([{ field: 'email', from: 'other@example.com', to: 'ann@example.com' }]);
  });

  test('is only reported where that is asked for, and closes nothing', () => {
    expect(decide(edited, { drift: 'report' })).toEqual({
      is: 'drift',
      fields: [{ field: 'email', from: 'other@example.com', to: 'ann@example.com' }],
    });
  });

  test('is overwritten when the source changed too, whatever drift says', () => {
    const both = { ...edited, record: SOURCE['changed']! };
    expect(changeOf(decide(both, { drift: 'report' })).why).toEqual({ code: 'changed' });
  });

  test('is what a change of the same value replaces', () => {
    const theirs = employee({ shown: shown({ name: 'Theirs', email: 'ann@example.com' }) });
    const change = changeOf(decide({ employee: theirs, record: SOURCE['changed']! }));
    expect(change.fields).toContainEqual({ field: 'name', from: 'Theirs', to: 'Anna' });
  });

  test('is nothing where the service stored our value its own way', () => {
    const odd = shown({ name: 'ANN', email: 'ann@example.com' });
    const decision = decide({ entry: entry({ accepted: odd }), employee: employee({ shown: odd }) });
    expect(decision).toEqual({ is: 'close', accepted: odd });
  });

  test('is nothing where it is as the source has it: the next edit counts from there', () => {
    const before = entry({ accepted: shown({ name: 'Ann', email: 'old@example.com' }, '52') });
    const now = shown();
    const decision = decide({ entry: before, employee: employee({ shown: now }) });
    expect(decision).toEqual({ is: 'close', accepted: now });
  });

  test('is repaired where it is shown no longer', () => {
    const emptied = { ...shown(), fields: { name: 'Ann' } };
    expect(changeOf(decide({ employee: employee({ shown: emptied }) })).why).toEqual({ code: 'edited' });
  });

  test('is seen where somebody moved the account to another node', () => {
    const change = changeOf(decide({ employee: employee({ shown: shown(undefined, '52') }) }));
    expect(change.fields.map(({ field }) => field)).toEqual(['positions']);
  });
});

describe('what was not read back', () => {
  test('is sent again where nothing differs', () => {
    const change = changeOf(decide({ entry: entry({ accepted: null }) }));
    expect(change).toMatchObject({ kind: 'update', why: { code: 'inDoubt' }, guard: null });
  });

  test('is sent again also where the employees list does not have it', () => {
    expect(brief(decide({ entry: entry({ accepted: null }), employee: null }))).toBe('update');
  });
});

describe('adoption', () => {
  test('names the fields that differ and those that are not shown, which are sent too', () => {
    const payload = {
      fields: { name: 'Ann', email: 'new@example.com', mobile: '2', user_id: 'x' },
      positions: [at('tech')],
    };
    const there = employee({
      shown: { ...shown(), fields: { name: 'Ann', email: 'ann@example.com', user_id: 'y' } },
    });
    const change = changeOf(decide({ entry: null, record: staged({ payload }), employee: there }));
    expect(change).toMatchObject({
      kind: 'adopt',
      guard: 'adopted',
      why: { code: 'employee' },
    });
    expect(change.fields.map(({ field }) => field)).toEqual(['mobile', 'email', 'positions']);
  });

  test('lists what is sent of an account that shows all as it should be', () => {
    const payload = { fields: { name: 'Ann', mobile: '2' }, positions: [at('tech')] };
    const there = employee({ shown: shown({ name: 'Ann' }, '52') });
    const job = { job_title: 'Clerk', primary: true };
    const change = changeOf(
      decide({
        entry: null,
        record: staged({ payload: { ...payload, positions: [{ unit: 'tech', fields: job }] } }),
        employee: there,
      }),
    );
    expect([change.guard, change.fields.map(({ field }) => field)]).toEqual([null, ['mobile']]);
  });
});

describe('secrets', () => {
  test('that changed are an update that shows nothing of them', () => {
    const change = changeOf(
      decide({ record: staged({ secretHash: 's2' }), entry: entry({ secretHash: 's1' }) }),
    );
    expect(change.fields).toEqual([{ field: 'secrets', from: '[secret]', to: '[secret]' }]);
  });
});

test('a record with a problem is left as it is, whatever the service shows', () => {
  const record = staged({ problem: 'unit x is unknown' });
  for (const account of Object.values(SERVICE)) {
    for (const known of Object.values(LEDGER)) {
      expect(decide({ record, entry: known, employee: account })).toEqual({
        is: 'blocked',
        reason: { code: 'words', values: { words: 'unit x is unknown' } },
      });
    }
  }
});

describe('somebody whose unit moves', () => {
  const moving = new Map([['sales', 'hq']]);
  const SAME: Partial<PersonRow> = { record: 'unchanged', entry: entry(), employee: employee() };
  const decided = (options: Partial<PersonRow>, more: Parameters<typeof rules>[0]) =>
    decidePerson(row({ ...SAME, ...options }), rules(more));

  test('follows it, with the topmost moved unit as the cause and no guard of its own', () => {
    expect(decided({}, { moving })).toMatchObject({
      is: 'change',
      change: {
        kind: 'update',
        why: { code: 'unitMoves', refs: [{ subject: 'unit', id: 'sales' }], values: {} },
        cause: 'hq',
        guard: null,
        fields: [],
      },
    });
    expect(brief(decided({}, { moving: new Map([['tech', 'tech']]) }))).toBe('close');
  });

  test('and who changes anyway is changed anyway', () => {
    const payload = { ...entry().sent, fields: { name: 'New' } };
    expect(decided({ record: staged({ payload }) }, { moving })).toMatchObject({
      change: { why: { code: 'changed' }, cause: null, guard: 'updates' },
    });
  });

  test('and has another node than that to which they were last sent: they follow, once', () => {
    expect(decided({ entry: entry({ nodes: ['49'] }) }, {})).toMatchObject({
      change: { kind: 'update', why: { code: 'notAtNode' }, cause: null, guard: null },
    });
    expect(brief(decided({ entry: entry({ nodes: ['51'] }) }, {}))).toBe('close');
  });

  test('and has no node: they wait for it, but for one about which nothing is decided', () => {
    const gone = { orgIdOf: () => undefined };
    const options = { entry: entry({ nodes: ['51'] }) };
    expect(brief(decided(options, gone))).toBe('update');
    expect(brief(decided(options, { ...gone, isBlocked: (unit) => unit === 'sales' }))).toBe('close');
  });

  test('and is locked by somebody else stays as it is', () => {
    const locked = employee({ locked: true });
    expect(brief(decided({ employee: locked }, { moving }))).toBe('blocked');
  });
});

const hidden = (options: Partial<PersonRow>): string =>
  brief(decidePerson(row({ employee: null, isUserDisabled: true, ...options }), rules()));

describe('an account of the domain that is disabled, and no employee is listed', () => {
  test('blocks who is to join, and whose account was never seen', () => {
    expect(hidden({ entry: null })).toBe('blocked');
    expect(hidden({ entry: LEDGER['creating'] ?? null })).toBe('blocked');
    const unread = entry({ employeeId: null, accepted: null });
    for (const record of [staged(), 'unchanged'] as const)
      expect(hidden({ entry: unread, record })).toBe('blocked');
  });

  test('blocks whose account is gone by the id that we know: it may be there under another one', () => {
    expect(hidden({ entry: LEDGER['managed'] ?? null })).toBe('blocked');
  });

  test('keeps nobody out whom we have disabled or removed, or who is not wanted', () => {
    for (const [state, kind] of [
      ['disabled', 'create(gone)'],
      ['removed', 'create(joiners)'],
    ] as const)
      expect(hidden({ entry: LEDGER[state] ?? null })).toBe(kind);
    expect(hidden({ entry: entry({ state: 'removed', employeeId: null }) })).toBe('create(joiners)');
    expect(hidden({ entry: entry({ state: 'creating' }) })).toBe('create(joiners)');
    expect(hidden({ entry: null, record: staged({ active: false }) })).toBe('none');
  });
});
