import { scimProblem } from './scim-problems.ts';
import type { OauthClient } from '../../../domain/source-settings.ts';
import { hideAll, spellingsOf } from '../../../domain/text/hide.ts';
import { printable } from '../../../domain/text/printable.ts';

/** Returns the request for a token by the grant client_credentials (RFC 6749, sections 2.3.1 and 4.4.2). */
export function tokenRequest({ clientId, scope }: OauthClient, secret: string) {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
  });
  const account = accountOf(clientId, secret);
  return {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(account).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  } as const;
}

const accountOf = (clientId: string, secret: string): string =>
  `${formEncoded(clientId)}:${formEncoded(secret)}`;

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/**
 * Returns the token of an answer (RFC 6749, sections 5.1 and 5.2). Throws a SourceError with the server's words, in which
 * the secret is hidden: a server may repeat what it got.
 */
export function tokenIn(
  answer: { readonly status: number; readonly body: string },
  { tokenUrl, clientId }: OauthClient,
  secret: string,
): string {
  const parts = partsOf(answer.body);
  const token = parts['access_token'];
  if (answer.status === 200 && typeof token === 'string') return token;
  const words = [parts['error'], parts['error_description']].filter((one) => typeof one === 'string');
  const hidden = [secret, formEncoded(secret), accountOf(clientId, secret)].map((one) => spellingsOf(one));
  const text = words.length === 0 ? '' : `: ${printable(hideAll(words.join(', '), hidden, '[secret]'))}`;
  const what = answer.status === 200 ? 'answers without an access_token' : `answers ${answer.status}${text}`;
  throw scimProblem('scim-no-token', { url: tokenUrl, what });
}

function partsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(body) as object) };
  } catch {
    return {};
  }
}
