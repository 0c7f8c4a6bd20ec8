import { readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { ledgerFile } from './ledger-file.ts';

test.each([
  ['is gone', (path: string) => rmSync(path)],
  ['is empty', (path: string) => truncateSync(path)],
])('a process that has worked with a ledger begins no new one where it %s', (_, lose) => {
  const { path } = ledgerFile('known-ledger');
  const open = (isKnown: boolean) =>
    openLedger({ path, binding: 'a/b', now: () => 1, mode: 'write', isKnown });
  const first = open(false);
  first.setFacts({ lastFull: 7 });
  first.close();
  renameSync(path, `${path}.kept`);
  open(false).close();
  lose(path);
  expect(() => open(true)).toThrow(expect.objectContaining({ problem: 'ledger-gone' }));
  renameSync(`${path}.kept`, path);
  const again = open(true);
  expect(again.fact('lastFull')).toBe(7);
  again.close();
});

test('a ledger stays locked by its run if this process opens it once more', () => {
  const { path } = ledgerFile('known-ledger');
  const open = () => openLedger({ path, binding: 'a/b', now: () => 1, mode: 'write', isKnown: false });
  const first = open();
  first.setFacts({ lastFull: 7 });
  const mine = new RegExp(` ${process.pid} [^ ]*:${statSync(path).ino} `, 'u');
  expect(readFileSync('/proc/locks', 'utf8')).toMatch(mine);
  open().close();
  expect(readFileSync('/proc/locks', 'utf8')).toMatch(mine);
  first.close();
});

test('a ledger is begun behind a link to a file that is still to come', () => {
  const { path } = ledgerFile('known-ledger');
  symlinkSync(`${path}.target`, path);
  openLedger({ path, binding: 'a/b', now: () => 1, mode: 'write', isKnown: false }).close();
  expect(statSync(`${path}.target`).size).toBeGreaterThan(0);
});
