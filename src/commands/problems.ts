import { ConfigError, RequestError } from '../domain/errors.ts';
import { problemsOf } from '../domain/problems.ts';

/** What was typed, or stands in the configuration, and cannot be done. */
export const commandProblem = problemsOf(ConfigError, {
  'usage-not-utf8': 'The argument {argument} is not UTF-8: give it in UTF-8.',
  'usage-exclusive': '{options} exclude each other: leave one of them out.',
  'usage-missing': '{what} is missing; see rollcall {verb} --help.',
  'output-unwritable': '{option} {path} cannot be written: {why}.',
  'call-unknown': 'call: there is no {what}.{meant} {known}.',
  'call-param': 'call: --param {param}: {what}.',
  'call-write':
    'call: {name} changes something in the service: give --write to send it. Nothing was sent.{more}',
  'call-body': 'call: --body {from} {what}.',
  'call-refused': 'call: {name} was not sent: {problems}; see rollcall call {name} --help.',
  'sandbox-option': 'sandbox: {reason} See rollcall sandbox --help.',
  'init-there':
    '{file} exists, and rollcall init never writes over a file; choose another one with --out, or print with --print.',
  'reload-other-organization':
    '{file} names another organization, {next} instead of {now}: set service.domainId and service.orgCode back, or start ' +
    'another daemon for it with a state.path of its own',
  'reload-other-ledger':
    '{file} names another ledger, {next} instead of {now}: set state.path back, or move the ledger while the daemon is ' +
    'stopped',
  'reload-other-address': '{file} has another {key}: set it back, or start the daemon again',
  'ledger-no-run': '{verb}: no run has been recorded yet in {path}{more}',
  'record-unknown':
    '{verb}: {what}. A person is named by username, display name or source id, a unit by source id, name or serial number{how}',
  'revert-several': 'revert --only "{name}" names {count} of the records; give one of: {records}',
  'revert-refused': 'revert {run}: {why}; nothing was sent',
  'forget-refused': 'forget "{name}": {why}; nothing was erased',
});

/** What was asked of one run and cannot be done: no run is counted for it. */
export const onlyProblem = problemsOf(RequestError, {
  'only-unknown':
    'sync: --only "{name}" is neither in the source nor in the ledger. A person is named by username or source id, a unit ' +
    'by source id, name or serial number: check the spelling',
  'only-several': 'sync: --only "{name}" names {count} records: {records}. Give one of these',
});
