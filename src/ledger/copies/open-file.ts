import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LedgerError, wordsOf } from '../../domain/errors.ts';
import { ledgerProblem } from '../database/problems.ts';
import { fileProblem } from '../../lib/file-problem.ts';
import { makeFolder, realPath, targetProblem } from '../../lib/replace-file.ts';
import { readablePath, removeReadCopy } from './require-room.ts';
import { requireBinding } from '../database/binding.ts';
import { Database } from '../database/database.ts';
import { isEmpty } from '../database/schema.ts';
import { requestProblem } from '../../domain/run-problems.ts';

/** Which file is opened, and what for. */
export interface OpenOptions {
  readonly path: string;
  /** The service and organization this ledger is bound to: `domainId/orgCode`. */
  readonly binding: string;
  /**
   * - `write`: the run's own
   * - `scratch`: a private copy that goes on close, so that planning cannot change the ledger
   * - `read`: nothing is written at all; the file must exist
   */
  readonly mode: 'write' | 'scratch' | 'read';
  /** Whether this process has worked with the ledger before: then no new one is begun in its place. */
  readonly isKnown?: boolean;
}

const SIDE_FILES = ['', '-wal', '-shm', '-journal', '.staging'];

/** What else stands, or comes to stand, beside a ledger. */
const BESIDE = ['.key', '.heartbeat', '.plan.html', '.last-plan.html'];

/** Returns the paths of all files of a ledger. */
const ledgerFiles = (path: string): readonly string[] =>
  [...SIDE_FILES, ...BESIDE].map((suffix) => realPath(path) + suffix);

/** Runs `work`; throws what the file system refuses as a LedgerError that names the ledger and the remedy. */
export function onDisk(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    const reason = wordsOf(error);
    throw ledgerProblem('ledger-unwritable', { path, reason }, { cause: error });
  }
}

/**
 * Creates the file with mode 0600 from the first byte on: the ledger names all people (contract, "password …
 * are secrets"). One that is there is not opened: closing it again would drop the locks of a run of this process
 * (sqlite.org/howtocorrupt.html, 2.2).
 */
function createPrivate(path: string): void {
  onDisk(path, () => {
    makeFolder(dirname(path));
    if (isThere(path)) accessSync(path, constants.W_OK);
    else closeSync(openSync(path, 'a', 0o600));
  });
}

/** Takes everybody else's rights from a file that is known to be a ledger, or empty. */
export function makePrivate(path: string): void {
  onDisk(path, () => chmodSync(path, 0o600));
}

/** Keeps the staging file private as well: SQLite creates it with the mask of the process. */
function privateFromNowOn(): void {
  process.umask(0o077);
}

/** Opens the file, or the copy of it that its mode asks for. */
export function openFile(options: OpenOptions): Database {
  if (options.mode === 'read') return openToRead(options.path);
  privateFromNowOn();
  return options.mode === 'write' ? openToWrite(options) : openScratch(options);
}

function openToWrite({ path, isKnown = false }: OpenOptions): Database {
  if (isKnown && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw ledgerProblem('ledger-gone', { path });
  createPrivate(path);
  return new Database(path, { readonly: false });
}

/** Returns whether there is a file. Throws a LedgerError if this user cannot look, or something else is there. */
export function isThere(path: string): boolean {
  const found = seen(path);
  if (found?.isFile() === false)
    throw ledgerProblem('ledger-no-file', {
      path,
      what: found.isDirectory() ? 'a folder' : 'a device or pipe',
    });
  return found !== undefined;
}

function seen(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const reason = wordsOf(error);
    throw ledgerProblem('ledger-unseen', { path, reason }, { cause: error });
  }
}

function openToRead(path: string): Database {
  if (isThere(path)) return new Database(readablePath(path), { readonly: true });
  throw ledgerProblem('ledger-not-there', { path });
}

function removeFiles(path: string): void {
  for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true });
}

function openScratch({ path, binding }: OpenOptions): Database {
  const copy = `${path}.plan-${process.pid}`;
  onDisk(path, () => removeFiles(copy));
  if (isThere(path)) {
    onDisk(path, () => sweepCopies(path));
    copyLedger(path, copy, binding);
  }
  createPrivate(copy);
  return new Database(copy, { readonly: false });
}

/** Copies the ledger. Errors about the original name the path of the original. */
function copyLedger(path: string, copy: string, binding: string): void {
  const original = new Database(path, { readonly: true });
  try {
    if (!isEmpty(original)) requireBinding(original, binding);
    original.sql('VACUUM INTO ?').run(copy);
  } catch (error) {
    removeFiles(copy);
    throw error;
  } finally {
    original.close();
  }
}

/** Returns why no copy can be put there; `null`: it can. Throws a RequestError if something is there already. */
function problemWith(target: string): string | null {
  try {
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) return targetProblem(target);
  } catch (error) {
    return fileProblem(error);
  }
  throw requestProblem('backup-there', { target });
}

/**
 * Writes a consistent copy of the ledger, also while a run works on it, with mode 0600. Throws a RequestError if there is
 * a file already, a LedgerError if the ledger cannot be read or the copy cannot be written; then there is none.
 */
export function backUp(path: string, target: string): void {
  if (ledgerFiles(path).includes(realPath(target))) throw requestProblem('backup-is-ledger', { target });
  const problem = problemWith(target);
  if (problem !== null) throw ledgerProblem('backup-unusable', { target, reason: problem });
  privateFromNowOn();
  const ledger = openToRead(path);
  const part = `${target}.part-${process.pid}`;
  try {
    ledger.sql('VACUUM INTO ?').run(part);
    renameSync(part, target);
  } catch (error) {
    const reason = wordsOf(error);
    throw ledgerProblem('backup-unusable', { target, reason }, { cause: error });
  } finally {
    removeFiles(part);
    ledger.close();
    dropCopy({ mode: 'read', path }, ledger.path);
  }
}

/** Removes the copy that was opened, if any. */
export function dropCopy({ mode, path }: Pick<OpenOptions, 'mode' | 'path'>, opened: string): void {
  if (mode === 'scratch') removeFiles(opened);
  if (mode === 'read') removeReadCopy(path, opened);
}

/** A run of `plan` that is older than this has ended, or was killed. */
const LEFT_AFTER_MS = 60 * 60_000;

/**
 * Removes the copies and pages next to the ledger that a killed `plan` or message left. A younger one may still be in
 * use.
 *
 * @param leftAfterMs age from which a copy counts as left over
 */
export function sweepCopies(path: string, leftAfterMs = LEFT_AFTER_MS): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.plan`)) continue;
    const copy = join(folder, name);
    const modified = statSync(copy, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && Date.now() - modified >= leftAfterMs) rmSync(copy, { force: true });
  }
}
