import { statSync, type BigIntStats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { rawAt, type Finding, type Path } from './problem.ts';
import { lookupFileSchema, statePath } from '../schema/settings-schema.ts';
import { LookupProblem, readLookupFile } from '../../lib/lookup-file.ts';

const HISTORY_FILE: Path = ['state', 'historyFile'];

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
const OWN_FILE = 'name a file of its own';

/** Finds a `state.historyFile` that could never be written, or is the ledger. */
export function historyFileFindings(raw: unknown): readonly Finding[] {
  const parsed = statePath.safeParse(rawAt(raw, ['state', 'path']));
  const text = rawAt(raw, HISTORY_FILE);
  if (!parsed.success || typeof text !== 'string' || text.trim() === '') return [];
  const wrong = wrongWith(text.trim(), parsed.data);
  return wrong === null ? [] : [{ path: HISTORY_FILE, ...wrong }];
}

function wrongWith(file: string, ledger: string): Pick<Finding, 'wrong' | 'remedy'> | null {
  const [path, known] = [resolve(file), resolve(ledger)];
  if (BESIDE.some((end) => path === known + end) || isSame(path, known))
    return { wrong: 'is the ledger, or a file that belongs to it', remedy: OWN_FILE };
  if (statOf(path)?.isDirectory() === true) return { wrong: 'is a folder', remedy: OWN_FILE };
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

const LOOKUPS: Path = ['lookups'];

/** Finds tables of `lookup` that cannot be read, and those that no expression uses. */
export function lookupFindings(raw: unknown): readonly Finding[] {
  const tables = rawAt(raw, LOOKUPS);
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables)) return [];
  const expressions = expressionsIn([rawAt(raw, ['source']), rawAt(raw, ['sync', 'protect', 'where'])]);
  return Object.entries(tables).flatMap(([name, table]) => [
    ...fileFindings([...LOOKUPS, name, 'file'], table),
    ...(expressions.some((text) => mentions(text, name)) ? [] : [unused([...LOOKUPS, name])]),
  ]);
}

function fileFindings(path: Path, table: unknown): readonly Finding[] {
  const parsed = lookupFileSchema.safeParse(table);
  if (!parsed.success) return [];
  try {
    readLookupFile(parsed.data);
    return [];
  } catch (error) {
    if (!(error instanceof LookupProblem)) throw error;
    return [{ path, wrong: error.message, remedy: error.remedy }];
  }
}

function unused(path: Path): Finding {
  return {
    path,
    wrong: 'no expression uses this table',
    remedy: `write lookup('${path.at(-1)}', …), or remove it`,
  };
}

/** Returns every text below; what is none of an expression does no harm. */
function expressionsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => expressionsIn(inner));
}

function mentions(text: string, name: string): boolean {
  return text.includes('lookup') && [`'${name}'`, `"${name}"`].some((quoted) => text.includes(quoted));
}
