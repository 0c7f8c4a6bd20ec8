import { ConfigError, SourceError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';

/** What may be wrong with the file of a table of lookups. */
export const lookupProblem = problemsOf(ConfigError, {
  'lookup-file': 'lookups.{name}.file: {why}; {remedy}.',
});

/** What may be wrong with a source of any kind. */
export const sourceProblem = problemsOf(SourceError, {
  'source-brings-none':
    'source: sources.{from} brought no {part}; the read is taken as incomplete and nothing is sent. Check source.{part}, and ' +
    'the rights of the reading account; a source that is empty for good is removed from the configuration.',
  'source-no-partner':
    'source: {what}; the read is taken as incomplete and nothing is sent. Check what is asked there, and the rights of the ' +
    'reading account',
  'source-secret': '{key}: {why}.',
  'source-secret-early':
    '{refusal} The same password is not sent again before {time} UTC, so that the account is not locked. If the source takes ' +
    'it now, try it with: rollcall check',
});
