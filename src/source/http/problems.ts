import { SourceError } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/problems.ts';
import { RefusedSecretError } from '../connect/refusals.ts';

const UNUSED = 'the read is incomplete and nothing of it is used.';

/** Why a read of a server over HTTP is incomplete, and nothing of it is used. */
export const httpProblem = problemsOf(SourceError, {
  'http-server': `{server} {url}: {what}; ${UNUSED}`,
  'http-refused': `{server} {url}: /{path} {what}; ${UNUSED}`,
  'list-incomplete': `source: /{list}: {what}; ${UNUSED}`,
  'list-changed': `source: /{list} changed while it was read: {what}; ${UNUSED}`,
  'login-failed': `{key}: {path} {what}; ${UNUSED}`,
  'no-token': '{key}: {url} {what}; check tokenUrl, clientId, clientSecret and scope of {key}.',
  'bad-token': '{key}: has blanks or other characters that no token has; give the token alone.',
});

/** A server refuses a secret. */
export const loginProblem = problemsOf(RefusedSecretError, {
  'no-login': '{key}: {path} {what}; check its body, secret and token.',
});

/** A server answered, though not with what it was asked for. */
export class RefusedAnswer extends SourceError {
  /** Of HTTP. */
  readonly status: number;
  /** The status with the server's own words: `400: Bad filter`. */
  readonly words: string;

  constructor(message: string, { status, words }: Pick<RefusedAnswer, 'status' | 'words'>) {
    super(message, { problem: 'http-refused' });
    this.status = status;
    this.words = words;
  }
}

/** Returns the error of a list that may be complete if it is read again. */
export const changed = (list: string, what: string): SourceError =>
  httpProblem('list-changed', { list, what }, { isPassing: true });

/** Returns the error of a list that is not whole; `isPassing`: it may be if it is read again. */
export const incomplete = (list: string, what: string, details?: { readonly isPassing: true }): SourceError =>
  httpProblem('list-incomplete', { list, what }, details);
