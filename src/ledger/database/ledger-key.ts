import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { LedgerError, wordsOf } from '../../domain/errors.ts';
import { ledgerProblem } from './problems.ts';

const BYTES = 32;

/**
 * Returns the path of the key, a file of its own. An attacker who gets only the ledger or its backup cannot
 * find a secret by trying.
 */
export function keyFile(ledger: string): string {
  return `${ledger}.key`;
}

/** Returns the key. If there is none, makes one: then every compared secret is sent again. */
export function requireKey(ledger: string): Buffer {
  try {
    return readKey(ledger) ?? createKey(ledger);
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    const reason = wordsOf(error);
    throw ledgerProblem('ledger-key-unusable', { file: keyFile(ledger), reason }, { cause: error });
  }
}

/**
 * Returns the key, `null` if there is none. Throws a LedgerError if others may read the file or its size is
 * wrong.
 */
export function readKey(ledger: string): Buffer | null {
  const file = keyFile(ledger);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if ((found.mode & 0o077) !== 0) {
    throw ledgerProblem('ledger-key-open', { file });
  }
  const key = readFileSync(file);
  if (key.length === BYTES) return key;
  throw ledgerProblem('ledger-key-damaged', { file, found: key.length, bytes: BYTES });
}

/**
 * Creates the key as a whole or not at all, even if the power fails. Of two processes at the same time, the first one's
 * key stays.
 */
function createKey(ledger: string): Buffer {
  const file = keyFile(ledger);
  const own = `${file}.${process.pid}.new`;
  rmSync(own, { force: true });
  writeDurably(own, randomBytes(BYTES));
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return readKey(ledger) ?? createKey(ledger);
}

function writeDurably(file: string, bytes: Buffer): void {
  const to = openSync(file, 'wx', 0o600);
  try {
    writeSync(to, bytes);
    fsyncSync(to);
  } finally {
    closeSync(to);
  }
}
