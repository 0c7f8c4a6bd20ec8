import { expect, test } from 'vitest';
import { describeExplanation } from '../../src/commands/explain/describe-explanation.ts';
import type { Explanation } from '../../src/commands/explain/explanation.ts';
import { allPrintable } from '../../src/commands/explain/layout.ts';
import { createScreen } from '../../src/runtime/screen.ts';
import { SYNC } from '../plan/build.ts';
import { NOBODY } from './explanation.ts';

const HELD: Partial<Explanation> = {
  held: [
    {
      guard: 'leavers',
      hash: '3f2a9c0d1e2f',
      count: 9,
      limit: 5,
      first: ['ann (7)'],
      about: '',
      cause: null,
    },
  ],
  fields: [
    { field: 'name', rule: 'displayName', secret: false, sent: 'Ann', differs: 'no' },
    {
      field: 'email',
      rule: 'mail',
      secret: false,
      sent: 'ann@example.com',
      service: 'other@example.com',
      differs: 'edited',
    },
  ],
  positions: [{ unit: 'Harbour / Sales', sent: 'Clerk, primary', service: 'Clerk, primary' }],
  serviceId: '5108300000000000123',
  calls: [{ at: 0, run: '20260101-000000-ab12', operation: 'employee.import', outcome: 'imported' }],
};

function shown(
  it: Partial<Explanation>,
  { columns = 60, env = {} }: { readonly columns?: number; readonly env?: NodeJS.ProcessEnv } = {},
): string {
  let text = '';
  const screen = createScreen({ isTTY: columns > 0, columns, write: (more) => (text += more) }, env);
  const { paint } = screen;
  screen.print(describeExplanation(allPrintable({ ...NOBODY, ...it }), { sync: SYNC, paint }));
  return text;
}

test('explain follows the width of the terminal, and parts no command, id, time or run', () => {
  const text = shown(HELD, { env: { NO_COLOR: '1' } });
  expect(text).toBe(
    `
ann (7), managed, active: held by sync.guard.leavers until
    released: rollcall sync --approve 3f2a9c0d1e2f
no run has ended yet

fields        sent             from
  name        Ann              displayName
  email       ann@example.com  mail
              in the service: other@example.com
              (edited there)

positions
  Harbour / Sales  Clerk, primary

ledger        managed, employee id 5108300000000000123
service       as last seen: not there
planned       held by sync.guard.leavers
              (9 records, the limit is 5):
              rollcall sync --approve 3f2a9c0d1e2f

past calls    1970-01-01 00:00 UTC  employee.import   done
              run 20260101-000000-ab12
`.slice(1),
  );
});

test('a file gets whole lines', () => {
  expect(shown(HELD, { columns: 0 })).toContain(
    'planned       held by sync.guard.leavers (9 records, the limit is 5): rollcall sync --approve 3f2a9c0d1e2f\n',
  );
});

test('colours tell where the person stands, and what to type', () => {
  const text = shown(HELD);
  expect(text).toContain('\u001B[1mann (7), managed, active\u001B[22m: ');
  expect(text).toContain('\u001B[31mheld by sync.guard.leavers until');
  expect(text).toContain('\u001B[1mrollcall sync --approve 3f2a9c0d1e2f\u001B[22m');
});

test('no line feed and no escape sequence of a value reaches the terminal', () => {
  const evil = 'A\u001B[31m\nB';
  const live = {
    samples: [{ place: 'row 1', raw: { name: [evil] }, refused: null, outOfScope: null }],
    positions: [],
    change: null,
    changes: [],
    isHeld: false,
    held: [],
    problems: [],
  };
  const text = shown({ live, label: evil }, { env: { NO_COLOR: '1' } });
  expect(text).not.toContain('\u001B');
  expect(text).toContain(String.raw`A\x1b[31m\nB (7)`);
});
