import { SourceError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';

/** What only a SCIM server has. */
export const scimProblem = problemsOf(SourceError, {
  'scim-other-group':
    'source: asked for the group {id} by its id, the server showed another one. The read is incomplete and nothing of it ' +
    'is used. Correct the server.',
  'scim-no-users': 'The SCIM server {url} shows no users; check what the token may read.',
});
