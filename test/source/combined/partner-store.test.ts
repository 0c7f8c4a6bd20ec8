import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { PartnerStore } from '../../../src/source/combined/partner-store.ts';
import { Garbled, Unknown, type Value } from '../../../src/source/mapping/values/raw-record.ts';

const row = (values: Readonly<Record<string, Value>>) => ({ values: new Map(Object.entries(values)) });

function storeOf(hasSecrets: boolean): PartnerStore {
  const store = new PartnerStore(hasSecrets);
  onTestFinished(() => store.close());
  return store;
}

/** What this process has written into files without a name. */
function writtenAside(): string {
  const files = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith('(deleted)');
    } catch {
      return false;
    }
  });
  return files.map((fd) => readFileSync(`/proc/self/fd/${fd}`, 'latin1')).join('');
}

test.each([false, true])('a partner comes back as it was (secrets: %s)', (hasSecrets) => {
  const store = storeOf(hasSecrets);
  const plain = row({ id: 'A1', list: ['x', 'y'], blank: '' });
  const strange = row({ id: 'B2', told: new Unknown('which …'), bytes: new Garbled(['pin']) });
  store.add([
    { key: ['A1'], ...plain, has: { id: 'abcd' } },
    { key: ['B2'], ...strange },
    { key: ['C3'], ...row({ id: 'C3' }) },
    { key: ['c3'], ...row({ id: 'c3' }) },
    { key: ['A1'], ...plain, has: { id: 'abcd' } },
  ]);
  expect([store.find(['a1']), store.find(['B2']), store.find(['c3']), store.find(['d4'])]).toEqual([
    { ...plain, has: { id: 'abcd' } },
    strange,
    'several',
    null,
  ]);
});

test.each([false, true])('what lies on the disk is encrypted where it may be a secret: %s', (hasSecrets) => {
  const store = storeOf(hasSecrets);
  const filler = 'some-value '.repeat(100);
  for (let batch = 0; batch < 30; batch += 1)
    store.add(
      Array.from({ length: 1_000 }, (_none, n) => {
        const key = `number-${batch}-${n}`;
        return { key: [key], ...row({ key, filler }) };
      }),
    );
  const written = writtenAside();
  expect(written).not.toBe('');
  expect([written.includes('some-value'), written.includes('number-1-1')]).toEqual([
    !hasSecrets,
    !hasSecrets,
  ]);
});
