import type { BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { codeOf, RollcallError } from '../../domain/errors.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import type { CsvSettings } from './kind.ts';
import type { Clock } from '../../lib/clock.ts';
import { pause, stopped } from '../connect/network-problem.ts';
import { csvProblem, systemError, type NamedFile } from './csv-problems.ts';
import { printedFile } from './printed-file.ts';

export interface WantedFile extends NamedFile {
  readonly part: SourcePart['part'];
  /** Program that prints it, with arguments; absent: the path is one of a file. */
  readonly command?: readonly string[] | undefined;
}

/** An open file, as it was when it was opened. */
export interface CsvFile extends WantedFile {
  readonly handle: FileHandle;
  readonly opened: BigIntStats;
}

/** Returns a file as messages name it. */
export const named = ({ place, path }: NamedFile): NamedFile => ({ place, path });

interface Opening {
  readonly wanted: readonly WantedFile[];
  readonly complete: CsvSettings['complete'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How often files are opened again that change while they are opened. */
const ATTEMPTS = 6;

/**
 * The files of one read, all opened before the first is read: what is exchanged between them is noticed at
 * the end.
 */
export class CsvFiles {
  readonly #files: readonly CsvFile[];
  readonly #done: Done | null;

  private constructor(files: readonly CsvFile[], done: Done | null) {
    this.#files = files;
    this.#done = done;
  }

  /** Opens all files, once none of them is being written. Throws a SourceError about one that is not whole. */
  static async open(opening: Opening): Promise<CsvFiles> {
    let changed: NamedFile | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const files = await openAll(opening);
      try {
        await waitForQuiet(files, opening);
        changed = await firstChanged(files);
        if (changed === undefined) {
          requireFresh(files, opening.complete, opening.clock.now());
          return new CsvFiles(files, await doneFileOf(files, opening.complete));
        }
      } catch (error) {
        await closeAll(files);
        throw error;
      }
      await closeAll(files);
    }
    const file = changed ?? { place: 'source', path: 'a file' };
    throw csvProblem('csv-still-written', { ...named(file), seconds: quietOf(opening.complete) });
  }

  get(part: SourcePart['part']): CsvFile {
    const file = this.#files.find((one) => one.part === part);
    if (file === undefined) throw new Error(`no file of ${part} was opened`);
    return file;
  }

  /** Returns the time at which the newest file was written, as ISO 8601. */
  get writtenAt(): string {
    const newest = Math.max(...this.#files.map(({ opened }) => Number(opened.mtimeMs)));
    return new Date(newest).toISOString();
  }

  get all(): readonly CsvFile[] {
    return this.#files;
  }

  /** Throws if a file is not as it was when it was opened: what was read may be of two exports. */
  async requireUnchanged(): Promise<void> {
    const changed = await firstChanged(this.#files);
    if (changed !== undefined) throw csvProblem('csv-changed', named(changed), { isPassing: true });
    if (this.#done !== null) await requireStill(this.#done);
  }

  async close(): Promise<void> {
    await closeAll(this.#files);
  }
}

async function openAll(opening: Opening): Promise<readonly CsvFile[]> {
  const files: CsvFile[] = [];
  // A program may take minutes, in which files change: it is first.
  const wanted = opening.wanted.toSorted((a, b) => Number(!a.command) - Number(!b.command));
  try {
    for (const one of wanted) files.push(await openOne(one, opening));
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

async function openOne(wanted: WantedFile, { complete, signal }: Opening): Promise<CsvFile> {
  try {
    if (wanted.command !== undefined) {
      const handle = await printedFile(wanted.place, wanted.command, signal, complete.program);
      return { ...wanted, handle, opened: await handle.stat({ bigint: true }) };
    }
    // Looked at before opening: a named pipe would be waited for without end.
    const found = await stat(wanted.path);
    const why = found.isDirectory() ? 'is a folder' : 'is no file (a pipe or a device)';
    if (!found.isFile()) throw csvProblem('csv-unreadable', { ...named(wanted), why, from: '' });
    const handle = await open(wanted.path);
    const opened = await handle.stat({ bigint: true });
    return { ...wanted, handle, opened };
  } catch (error) {
    throw error instanceof RollcallError ? error : systemError(wanted, error);
  }
}

async function closeAll(files: readonly CsvFile[]): Promise<void> {
  for (const { handle } of files) await handle.close();
}

/** Returns the first file that is being written to, or has another one under its name. */
async function firstChanged(files: readonly CsvFile[]): Promise<CsvFile | undefined> {
  for (const file of files) {
    const { opened, path, command } = file;
    if (command !== undefined) continue;
    const now = await stat(path, { bigint: true }).catch(() => null);
    if (!isSame(opened, now)) return file;
  }
  return undefined;
}

function isSame(before: BigIntStats, now: BigIntStats | null): boolean {
  if (now === null || now.ino !== before.ino || now.dev !== before.dev) return false;
  return now.size === before.size && now.mtimeNs === before.mtimeNs;
}

/** Returns whether something else than the last bytes proves that a file is whole. */
export const provesEnd = ({ doneFile, trailer }: CsvSettings['complete']): boolean =>
  doneFile !== undefined || trailer !== undefined;

/** Returns for how many seconds no file may have changed. */
const quietOf = ({ quietSeconds = 10 }: CsvSettings['complete']): number => quietSeconds;

/** Waits until the newest file could not be in the middle of a write; if something else proves its end, not. */
async function waitForQuiet(files: readonly CsvFile[], opening: Opening): Promise<void> {
  const { complete, clock, signal } = opening;
  if (signal.aborted) throw stopped();
  if (provesEnd(complete)) return;
  const quiet = quietOf(complete) * 1000;
  const newest = Math.max(...files.map(({ opened }) => Number(opened.mtimeMs)));
  const age = clock.now() - newest;
  // A time in the future tells nothing: then the file is looked at twice.
  const wait = age < 0 ? quiet : quiet - age;
  if (wait > 0) await pause(clock, wait, signal);
}

/** The file that says that all others are whole, as it was when they were opened. */
interface Done {
  readonly file: NamedFile;
  readonly mtimeNs: bigint;
}

const HOUR_MS = 3_600_000;

/** Throws if a file is too old. */
function requireFresh(
  files: readonly CsvFile[],
  { maxAgeHours }: CsvSettings['complete'],
  now: number,
): void {
  const [oldest] = files.toSorted((a, b) => Number(a.opened.mtimeNs - b.opened.mtimeNs));
  if (oldest === undefined || maxAgeHours === undefined) return;
  const age = (now - Number(oldest.opened.mtimeMs)) / HOUR_MS;
  if (age > maxAgeHours) {
    throw csvProblem('csv-old', { ...named(oldest), hours: age.toFixed(1), most: maxAgeHours });
  }
}

/** Returns the done file. Throws if it is not there, or older than a file of the export. */
async function doneFileOf(
  files: readonly CsvFile[],
  { doneFile }: CsvSettings['complete'],
): Promise<Done | null> {
  if (doneFile === undefined) return null;
  const file = { place: 'source.complete.doneFile', path: doneFile };
  const mtimeNs = await timeOf(file);
  const later = files.find(({ opened }) => opened.mtimeNs > mtimeNs);
  if (later !== undefined) {
    throw csvProblem('csv-not-done', { ...file, why: `is older than ${later.path}` });
  }
  return { file, mtimeNs };
}

/** Throws if the done file was written again or removed: another export has begun. */
async function requireStill({ file, mtimeNs }: Done): Promise<void> {
  if ((await timeOf(file)) === mtimeNs) return;
  throw csvProblem('csv-not-done', { ...file, why: 'was written again while the files were read' });
}

async function timeOf(file: NamedFile): Promise<bigint> {
  try {
    return (await stat(file.path, { bigint: true })).mtimeNs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      throw csvProblem('csv-not-done', { ...file, why: 'is not there' }, { cause: error });
    }
    throw systemError(file, error);
  }
}
