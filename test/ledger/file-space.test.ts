import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ledgerFile, type LedgerFile } from './ledger-file.ts';
import { NOTHING_OLD } from './records.ts';

const MB = 1_048_576;

const bytes = ({ path }: LedgerFile): number => statSync(path).size;

/** Fills the ledger with so many MB and forgets them again. */
function grow({ raw }: LedgerFile, megabytes: number): void {
  raw((db) => {
    const insert = db.prepare(`INSERT INTO fact VALUES (?, ?)`);
    db.transaction(() => {
      for (let one = 0; one < megabytes * 16; one += 1) insert.run(`filler ${one}`, 'x'.repeat(MB / 16));
    })();
    db.exec(`DELETE FROM fact WHERE name LIKE 'filler %'`);
  });
}

test('a new ledger gives back what is forgotten: 16 MB a run, and not what the next runs fill', () => {
  const one = ledgerFile('file-space');
  one.open().close();
  grow(one, 40);
  expect(bytes(one)).toBeGreaterThan(40 * MB);
  const sizes: number[] = [];
  for (let run = 0; run < 4; run += 1) {
    const ledger = one.open();
    ledger.forgetOld(NOTHING_OLD);
    ledger.close();
    sizes.push(Math.floor(bytes(one) / MB));
  }
  expect(sizes).toEqual([24, 8, 0, 0]);
  grow(one, 1);
  one.open().close();
  const before = bytes(one);
  const ledger = one.open();
  ledger.forgetOld(NOTHING_OLD);
  ledger.close();
  expect(before - bytes(one)).toBeLessThan(MB);
});
