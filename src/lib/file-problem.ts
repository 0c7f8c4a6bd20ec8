const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a folder in its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be used by this user: check its permissions',
  EPERM: 'it may not be used by this user: check its permissions',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EMFILE: 'too many files are open here: raise the limit of open files (ulimit -n)',
  ENFILE: 'too many files are open on this machine: raise its limit',
  ENAMETOOLONG: 'its name is too long',
};

/** Returns what is wrong with a file, from the error of the file system. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return PROBLEMS[code] ?? `the system says ${code}`;
}
