import { SourceError } from '../../../domain/errors.ts';
import { problemsOf } from '../../../domain/problems.ts';

/** Why a read of a SCIM server is incomplete, and nothing of it is used. */
export const scimProblem = problemsOf(SourceError, {
  'scim-refused': '{sentence}',
  'scim-server': 'The SCIM server {url}: {what}; the read is incomplete and nothing of it is used.',
  'scim-incomplete': 'source: /{resource}: {what}; the read is incomplete and nothing of it is used.',
  'scim-changed':
    'source: /{resource} changed while it was read: {what}; the read is incomplete and nothing of it is used.',
  'scim-other-group':
    'source: asked for the group {id} by its id, the server showed another one. The read is incomplete and nothing of it ' +
    'is used. Correct the server.',
  'scim-no-token':
    'source.token: {url} {what}; check tokenUrl, clientId, clientSecret and scope of source.token.',
  'scim-bad-token': 'source.token: has blanks or other characters that no token has; give the token alone.',
  'scim-no-users': 'The SCIM server {url} shows no users; check what the token may read.',
});
