import { codeOf, SourceError } from '../../domain/errors.ts';

/** A file as messages name it. */
export interface NamedFile {
  /** Key in the configuration: `source.people.file`. */
  readonly place: string;
  /** Path as it is configured. */
  readonly path: string;
}

export const NOTHING_USED = 'nothing of this read is used';

/** Returns the error about a file. `what` goes on after its name: `is empty; export it again`. */
export function fileError({ place, path }: NamedFile, what: string, cause?: unknown): SourceError {
  return new SourceError(`${place}: ${path} ${what}.`, { cause });
}

/** Returns the error about a file that is another one than it was: the read may be repeated at once. */
export function changedError({ place, path }: NamedFile): SourceError {
  const what = `was changed or replaced while it was read; ${NOTHING_USED}`;
  return new SourceError(`${place}: ${path} ${what}.`, { isPassing: true });
}

/** Returns the error about one line of a file. */
export function lineError(file: NamedFile, line: number, what: string): SourceError {
  return new SourceError(`${file.place}: ${file.path}, line ${line}: ${what}; ${NOTHING_USED}.`);
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a folder in its path is a file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EMFILE: 'cannot be opened: too many files are open here; raise the limit of open files (ulimit -n)',
  ENAMETOOLONG: 'has too long a name',
  EIO: 'cannot be read: its disk or network drive fails',
  ESTALE: 'cannot be read: its network drive has lost it',
};

/** Translates an error of the file system. */
export function systemError(file: NamedFile, error: unknown): SourceError {
  const code = codeOf(error);
  const problem = PROBLEMS[code] ?? `cannot be read (${code})`;
  return fileError(file, `${problem}; ${remedyFor(code, file)}`, error);
}

function remedyFor(code: string, { path }: NamedFile): string {
  if (code === 'EACCES' || code === 'EPERM') return 'check its permissions and those of its folders';
  if (code === 'EISDIR') return 'name a file in it';
  const from = path.startsWith('/') ? '' : ` (it begins at ${process.cwd()})`;
  return `check the path${from}`;
}
