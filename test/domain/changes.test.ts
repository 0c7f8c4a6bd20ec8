import { expect, test } from 'vitest';
import { bucketsOf } from '../../src/domain/buckets.ts';
import type { PersonChange } from '../../src/domain/changes.ts';

test('who is enabled counts as a joiner, as one whom nothing explains, and for what is lost or turns empty', () => {
  const enable: PersonChange = {
    subject: 'person',
    kind: 'enable',
    id: '1',
    username: 'ann',
    why: { code: 'activeAgain' },
    fields: [{ field: 'email', from: 'a@x', to: null }],
    guard: 'joiners',
    cause: null,
    payload: { fields: {}, positions: [] },
    employeeId: '7',
    loses: { fields: ['mobile'], certain: true },
    doubt: { is: 'edited' },
  };
  const buckets = ['joiners person', 'lost person', 'unexplained person', 'emptied person email'];
  expect(bucketsOf(enable)).toEqual(buckets);
});
