import { expect, test } from 'vitest';
import { isFilledIn, withNewAccount } from '../../src/plan/values/filled-in.ts';
import type { NewAccounts } from '../../src/domain/records/new-accounts.ts';
import type { Unmapped } from '../../src/plan/values/unmapped.ts';

const tags = (...names: readonly string[]): Unmapped => ({
  name: 'tag_names',
  kind: 'fields',
  value: null,
  writable: false,
  unread: names,
});

const after = (accounts: readonly (readonly Unmapped[])[]): NewAccounts | null =>
  accounts.reduce<NewAccounts | null>((before, values) => withNewAccount(before, values), null);

test.each([
  ['nobody is new', [], false],
  ['one account alone', [[tags('"A"')]], false],
  ['two of two', [[tags('"A"')], [tags('"A"')]], true],
  ['two of three', [[tags('"A"')], [], [tags('"A"')]], true],
  ['half of them', [[tags('"A"')], [], [tags('"A"')], []], false],
  ['others have more', [[tags('"A"', '"B"')], [tags('"A"', '"B"')]], false],
] as const)('%s', (_, accounts, isOwn) => {
  expect(isFilledIn(tags('"A"'), after(accounts))).toBe(isOwn);
});

test('a value that can be read is never filled in, and the count stays small', () => {
  const readable: Unmapped = { name: 'mobile', kind: 'fields', value: '1*', writable: false };
  const many = after(Array.from({ length: 2_000 }, (_, index) => [tags(`"${index}"`), readable]));
  expect([many?.of, Object.keys(many?.values ?? {}).length]).toEqual([1_000, 50]);
  expect(isFilledIn(readable, many)).toBe(false);
});
