import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { PartnerStore, type PartnerSecrets } from '../../../src/source/combined/partner-store.ts';

const NO_SECRETS: PartnerSecrets = { slots: new Set(), isInKey: false };

function storeOf(secrets: PartnerSecrets): PartnerStore {
  const store = new PartnerStore(secrets);
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

test.each([
  ['without secrets', NO_SECRETS],
  ['with a secret', { slots: new Set([2]), isInKey: false }],
  ['with a secret as the key', { slots: new Set([0, 2]), isInKey: true }],
])('a partner comes back as it was, %s', (_, secrets) => {
  const store = storeOf(secrets);
  store.add([
    { key: ['A1'], cells: ['A1', ['x', 'y'], undefined, 's1'] },
    { key: ['B2'], cells: ['B2', undefined, 'pin', ''], garbled: new Set([1, 2]) },
    { key: ['C3'], cells: ['C3'] },
    { key: ['c3'], cells: ['c3'] },
  ]);
  expect([store.find(['a1']), store.find(['B2']), store.find(['c3']), store.find(['d4'])]).toEqual([
    { cells: ['A1', ['x', 'y'], undefined, 's1'] },
    { cells: ['B2', undefined, 'pin', ''], garbled: new Set([1, 2]) },
    'several',
    null,
  ]);
});

test.each([
  ['secrets alone', { slots: new Set([2]), isInKey: false }, true],
  ['a key that is one as well', { slots: new Set([0, 2]), isInKey: true }, false],
])('what lies on the disk is encrypted: %s', (_, secrets, keyIsSeen) => {
  const store = storeOf(secrets);
  const filler = 'open-value '.repeat(100);
  for (let batch = 0; batch < 30; batch += 1)
    store.add(
      Array.from({ length: 1_000 }, (_none, n) => {
        const key = `number-${batch}-${n}`;
        return { key: [key], cells: [key, filler, `hidden-value-${n}`] };
      }),
    );
  const written = writtenAside();
  expect(written).toContain('open-value');
  expect([written.includes('hidden-value'), written.includes('number-1-1')]).toEqual([false, keyIsSeen]);
});
