import { statSync, type BigIntStats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Finding, Path } from './problem.ts';
import { rawAt } from './raw.ts';
import { statePath } from '../schema/settings-schema.ts';

const PATH: Path = ['state', 'historyFile'];

/** What stands beside the ledger, by the end of its name. */
const BESIDE = [
  '',
  '-wal',
  '-shm',
  '-journal',
  '.staging',
  '.key',
  '.heartbeat',
  // Of an older version: removed when the ledger is opened.
  '.source',
  '.source-wal',
  '.source-shm',
];
const REMEDY = 'name a file of its own';

/** Finds a `state.historyFile` that could never be written, or is the ledger. */
export function historyFileFindings(raw: unknown): readonly Finding[] {
  const parsed = statePath.safeParse(rawAt(raw, ['state', 'path']));
  const text = rawAt(raw, PATH);
  if (!parsed.success || typeof text !== 'string' || text.trim() === '') return [];
  const wrong = wrongWith(text.trim(), parsed.data);
  return wrong === null ? [] : [{ path: PATH, ...wrong }];
}

function wrongWith(file: string, ledger: string): Pick<Finding, 'wrong' | 'remedy'> | null {
  const [path, known] = [resolve(file), resolve(ledger)];
  if (BESIDE.some((end) => path === known + end) || isSame(path, known))
    return { wrong: 'is the ledger, or a file that belongs to it', remedy: REMEDY };
  if (statOf(path)?.isDirectory() === true) return { wrong: 'is a folder', remedy: REMEDY };
  const folder = dirname(path);
  // The folder of the ledger is made with it.
  if (folder === dirname(known) || statOf(folder)?.isDirectory() === true) return null;
  return {
    wrong: `is in the folder ${folder}, which is not there`,
    remedy: 'make the folder, or name another file',
  };
}

/** Returns whether two names lead to one file. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [statOf(one), statOf(other)];
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
