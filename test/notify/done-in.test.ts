import { expect, test } from 'vitest';
import type { HistoryEntry } from '../../src/domain/ports/history.ts';
import { doneIn } from '../../src/notify/notices.ts';

function entry(id: string, parts: Partial<HistoryEntry>): HistoryEntry {
  const record = { kind: 'update', fields: [], why: '', origin: null, guard: null, approval: null } as const;
  return { n: 1, at: 0, run: 'r', subject: 'person', id, label: `user${id}`, ...record, ...parts };
}

test('what was applied is counted by what it means for people, and the first are named', () => {
  const moved = { fields: [{ field: 'positions', from: ['a'], to: ['b'] }] };
  const done = doneIn([
    entry('1', { kind: 'create' }),
    entry('2', { kind: 'disable' }),
    entry('3', moved),
    entry('4', { fields: [{ field: 'email', from: 'a', to: 'b' }] }),
    entry('5', { subject: 'unit', kind: 'move' }),
    entry('6', { subject: 'unit', kind: 'create' }),
  ]);
  expect(done).toEqual({
    joined: 1,
    left: 1,
    moved: 2,
    updated: 2,
    named: [
      { what: 'joined', name: 'user1 (1)' },
      { what: 'left', name: 'user2 (2)' },
      { what: 'moved', name: 'user3 (3)' },
      { what: 'moved', name: 'user5 (5)' },
    ],
  });
});
