import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { sentenceOf } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import { writeTexts } from '../lib/write-texts.ts';

/**
 * Writes a page of the plan for its owner alone, whole or not at all. A disk that is full costs the page, and not the
 * run.
 */
export function isWritten({ path, log }: { path: string; log: Log }, texts: Iterable<string>): boolean {
  try {
    const part = `${path}.part`;
    rmSync(part, { force: true });
    const file = openSync(part, 'wx', 0o600);
    try {
      writeTexts(file, texts);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
    return true;
  } catch (error) {
    log.note('warn', 'the page of the plan could not be written', { file: path, reason: sentenceOf(error) });
    return false;
  }
}
