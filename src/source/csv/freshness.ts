import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { CsvComplete } from '../../domain/source-choices.ts';
import { fileError, NOTHING_USED, systemError, type NamedFile } from './csv-error.ts';

/** The file that says that all others are whole, as it was when they were opened. */
export interface Done {
  readonly file: NamedFile;
  readonly mtimeNs: bigint;
}

interface Dated extends NamedFile {
  readonly opened: BigIntStats;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Throws where a file is too old, or the files are hardly of one export. */
export function requireFresh(
  files: readonly Dated[],
  { maxAgeHours, apartMinutes }: CsvComplete,
  now: number,
): void {
  const ordered = files.toSorted((a, b) => Number(a.opened.mtimeNs - b.opened.mtimeNs));
  const [oldest, newest] = [ordered[0], ordered.at(-1)];
  if (oldest === undefined || newest === undefined) return;
  const age = (now - msOf(oldest)) / HOUR_MS;
  if (maxAgeHours !== undefined && age > maxAgeHours) {
    const limit = `source.complete.maxAgeHours is ${maxAgeHours}`;
    throw fileError(oldest, `is ${age.toFixed(1)} hours old, and ${limit}; look why it was not exported`);
  }
  const apart = (msOf(newest) - msOf(oldest)) / MINUTE_MS;
  if (apartMinutes !== undefined && apart > apartMinutes) {
    const limit = `source.complete.apartMinutes is ${apartMinutes}`;
    const what = `is ${apart.toFixed(1)} minutes older than ${newest.path}, and ${limit}`;
    throw fileError(oldest, `${what}; export both together`);
  }
}

const msOf = ({ opened }: Dated): number => Number(opened.mtimeMs);

/** Returns the done file. Throws where it is not there, or older than a file of the export. */
export async function doneFileOf(files: readonly Dated[], { doneFile }: CsvComplete): Promise<Done | null> {
  if (doneFile === undefined) return null;
  const file = { place: 'source.complete.doneFile', path: doneFile };
  const mtimeNs = await timeOf(file);
  const later = files.find(({ opened }) => opened.mtimeNs > mtimeNs);
  if (later !== undefined) {
    throw fileError(
      file,
      `is older than ${later.path}: a new export has begun and not ended; ${NOTHING_USED}; it has to be written last`,
    );
  }
  return { file, mtimeNs };
}

/** Throws where the done file was written again or removed: another export has begun. */
export async function requireStill({ file, mtimeNs }: Done): Promise<void> {
  if ((await timeOf(file)) === mtimeNs) return;
  throw fileError(file, `was written again while the files were read; ${NOTHING_USED}`);
}

async function timeOf(file: NamedFile): Promise<bigint> {
  try {
    return (await stat(file.path, { bigint: true })).mtimeNs;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw fileError(file, `is not there: the export has not ended; ${NOTHING_USED}`, error);
    }
    throw systemError(file, error);
  }
}
