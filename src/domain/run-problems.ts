import { RequestError, ServiceError, SourceError, StoppedError } from './errors.ts';
import { problemsOf } from './problems.ts';

/** Why a read of the source counts as incomplete, beside what its own room says. */
export const readProblem = problemsOf(SourceError, {
  'read-behind':
    'source: {behind}; the read is incomplete and nothing is sent. Wait until the source has caught up; if this state is ' +
    'right, run: rollcall sync --full',
  'read-lost-all':
    'source: the read brought {what}; it is taken as incomplete and nothing is sent. Check {check}',
  'read-lost-part': 'source: {words}',
  'read-no-root':
    'source: the unit {root} (sync.root) is not among the {units} units read, so the read is incomplete; correct ' +
    'sync.root, or {widen}',
});

/** Why a run cannot trust the service, or ends because of it. */
export const serviceRunProblem = problemsOf(ServiceError, {
  'service-list-endless':
    'service: the list of {what} has no end: {count} were shown, more than the {most} that its first page allows, and ' +
    'total_count is {total} now; nothing is sent. Ask the operator of the service why the list grows while it is read',
  'service-list-incomplete':
    'service: the list of {what} is incomplete, twice: total_count counts {total}, and {count} different ones are shown; ' +
    'nothing is sent. If the next run says the same, ask the operator of the service to show all {what} that it counts to ' +
    'this token, or to count only those; there is no setting of rollcall for it',
  'service-refuses-all':
    'The service refuses {records} records together and {probes} of them alone with the same words, and has taken none: ' +
    '{words}. Ask its operator whether this application may do that; the next run tries again.',
  'service-fails':
    'The service failed {calls} different calls in a row, each tried again: the run ends, the next one goes on from here. ' +
    'The last: {words}',
  'service-unclear-units':
    'service: more than {most} units are not in the list of organizations and could not be asked for; nothing is sent. ' +
    'Ask its operator if the next run says the same. The last: {words}',
});

/** What was asked for and cannot be done; nothing of it was. */
export const requestProblem = problemsOf(RequestError, {
  'approve-unknown': '--approve {hash}: nothing is held under this hash; rollcall status lists what is held',
  'revert-changed':
    'revert: --approve {given} is not, or no longer, what would be done now ({hash}); nothing was sent. Look at it again, ' +
    'with the same options but --approve',
  'revert-other-source':
    'revert: {about}. What a run did can only be put back beside the source that it read: rollcall plan shows what has ' +
    'changed, and rollcall sync releases it; nothing was sent',
  'only-not-alone': 'sync: --only: {id} {why}: it cannot be done alone. Run rollcall sync.',
  'backup-there': 'backup {target}: the file exists, and no backup is written over; name another one',
  'backup-is-ledger': 'backup {target}: this name belongs to the ledger itself; name another one',
});

export const stopped = problemsOf(StoppedError, {
  'stopped-asked': 'asked to stop: the next run goes on from here',
  'stopped-at-once': 'stopped at once: the next run finds out what became of the calls in flight',
});
