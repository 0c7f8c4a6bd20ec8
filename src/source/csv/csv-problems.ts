import { codeOf, SourceError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';

/** A file as messages name it. */
export interface NamedFile {
  /** Key in the configuration: `source.people.file`. */
  readonly place: string;
  /** Path as it is configured; of what a program prints, words that end with its path. */
  readonly path: string;
}

/** Why a read of files is incomplete: nothing of it is used. */
export const csvProblem = problemsOf(SourceError, {
  'csv-unreadable': '{place}: {path} {why}; name a file that this user may read{from}.',
  'csv-still-written':
    '{place}: {path} is still being written: it changed each time within {seconds} s. Have it written under another name ' +
    'and renamed when it is whole.',
  'csv-changed':
    '{place}: {path} was changed or replaced while it was read. Rename whole files, or use doneFile.',
  'csv-old':
    '{place}: {path} is {hours} hours old, and source.complete.maxAgeHours is {most}; look why it was not exported.',
  'csv-not-done': '{place}: {path} {why}: the export has not ended. It has to write this file last.',
  'csv-no-trailer':
    '{place}: {path} is not whole: its last line is not the trailer of source.complete.trailer, {pattern}, but {line}. ' +
    'Export it again, or correct the pattern or source.encoding.',
  'csv-row-count':
    '{place}: {path} is not whole: its trailer tells of {stated}, and it has {read} rows, the header not counted. Export it again.',
  'csv-encoding': '{place}: {path} {what}; correct source.encoding or the export.',
  'csv-command':
    '{place}: the program {program} {why}, and last said: {words}. Nothing that it printed is used; try it by hand.',
  'csv-empty': '{place}: {path} is empty, without even a header; export it again.',
  'csv-column': '{place}: {path} {what}.',
  'csv-row': '{place}: {path}, line {line}: {what}. Export it again.',
});

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a folder in its path is a file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EMFILE: 'cannot be opened: too many files are open here, raise the limit of open files (ulimit -n)',
  ENAMETOOLONG: 'has too long a name',
  EIO: 'cannot be read: its disk or network drive fails',
  ESTALE: 'cannot be read: its network drive has lost it',
};

/** Translates an error of the file system. */
export function systemError({ place, path }: NamedFile, error: unknown): SourceError {
  const code = codeOf(error);
  const from = path.startsWith('/') ? '' : `; a relative path begins at ${process.cwd()}`;
  const why = PROBLEMS[code] ?? `cannot be read (${code})`;
  return csvProblem('csv-unreadable', { place, path, why, from }, { cause: error });
}
