import { ConfigError, LedgerBusyError, LedgerError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';

export const ledgerProblem = problemsOf(LedgerError, {
  'ledger-not-there': 'ledger {path}: is not there yet: rollcall sync creates it',
  'ledger-empty': 'ledger {path}: is empty: rollcall sync fills it',
  'ledger-gone':
    'ledger {path}: it was there before, and is gone or empty now: put it back, or its backup; to begin a new one, ' +
    'start rollcall again',
  'ledger-no-file': 'ledger {path}: it is no file ({what}): write the path of a file into state.path',
  'ledger-unseen':
    'ledger {path}: cannot be seen by this user ({reason}): run rollcall as the user of the daemon',
  'ledger-unwritable':
    'ledger {path}: cannot be created or written ({reason}); check state.path and who may write there',
  'ledger-disk-full':
    'ledger {path}: the disk is full: {free} MB are free, a run needs {needed}; free some space, then run again',
  'ledger-other-program': 'ledger {path}: is the database of another program: point state.path elsewhere',
  'ledger-other-build':
    'ledger {path}: made by another build of rollcall (version {version}, this one has {own}): run that build, or move the ' +
    'file away; then the next run finds every account and node again',
  'ledger-key-open': 'ledger key {file}: others may read it: chmod 600 {file}',
  'ledger-key-damaged':
    'ledger key {file}: holds {found} bytes instead of {bytes}: restore its backup, or remove it; then the compared ' +
    'secrets are sent again',
  'ledger-key-unusable': 'ledger key {file}: cannot be read or made ({reason}): correct its owner and mode',
  'ledger-no-call': 'ledger {path}: the journal has no call {call}: check the disk, then run again',
  'ledger-taken-over': 'ledger {path}: another run took over; this one stops before its next call',
  'ledger-unopened':
    'ledger {path}: {words}; check that the folder of state.path exists, that this user may write there, and how many ' +
    'files may be open (ulimit -n)',
  'ledger-read-only': 'ledger {path}: {words}: make the file and its folder writable for this user',
  'ledger-no-right': 'ledger {path}: {words}; this user may not open the file: check its owner and mode',
  'ledger-full': 'ledger {path}: {words}; the disk is full: free some space, then run again',
  'ledger-disk': 'ledger {path}: {words}; the disk answered with an error: check the volume',
  'ledger-no-ledger':
    'ledger {path}: {words}; this file is no ledger: point state.path elsewhere or restore a backup',
  'ledger-damaged':
    'ledger {path}: {words}; the file is damaged: restore a backup, or move it away (existing records are then adopted)',
  'ledger-sqlite': 'ledger {path}: {words} (SQLite says {code})',
  'backup-unusable': 'backup {target}: {reason}; nothing was written, check its folder and the space on it',
});

export const busyProblem = problemsOf(LedgerBusyError, {
  'ledger-busy':
    'ledger {path}: {words}; another process is writing to it for too long: stop it, then run again',
});

export const boundProblem = problemsOf(ConfigError, {
  'ledger-other-organization':
    'ledger {path}: belongs to "{bound}", but the configuration names "{binding}" (service.domainId/service.orgCode); set ' +
    'them back, or use another state.path for another organization',
});
