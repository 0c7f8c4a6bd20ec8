import {
  isOauthClient,
  type OauthClient,
  type SecretSource,
  type Tls,
} from '../../domain/source-settings.ts';
import { isObject } from '../../lib/parse-lossless.ts';
import type { ClientContext, ServerWords } from '../http/json-client.ts';
import type { ScimServer } from './scim-pages.ts';

/** Where a server is, and who asks. */
export interface ScimAccess {
  readonly url: string;
  readonly token: SecretSource | OauthClient;
  readonly tls: Tls;
  /** Seconds for each answer; absent: 60. */
  readonly timeoutSeconds?: number | undefined;
}

const WORDS: ServerWords = {
  server: 'The SCIM server',
  accept: 'application/scim+json, application/json',
  placeOf: () => 'source.token',
  remedyFor(status) {
    if (status === 401) return 'check source.token';
    if (status === 403) return 'the token may not read this: give it the right to read users and groups';
    if (status === 404)
      return 'check source.url and resource; what is no SCIM server is read as type: rest (init: --kind rest)';
    if (status === 400) return 'check the filter; if the server takes none, see docs/sources/scim.md';
    if (status >= 300 && status < 400) return 'put the right address into source.url';
    return 'it is asked again at the next run';
  },
  saidIn: (value) => (isObject(value) && typeof value['detail'] === 'string' ? value['detail'] : undefined),
  notJson:
    'which is no SCIM list; check source.url: it ends before /Users, as in https://idp.example.com/scim/v2',
};

/** Returns a server that can be asked. */
export async function openScim(
  { token, ...access }: ScimAccess,
  context: ClientContext,
  signal: AbortSignal,
): Promise<ScimServer> {
  // Loaded only when it is asked for, as drivers are: undici also takes over the fetch of Node.
  const { JsonClient } = await import('../http/json-client.ts');
  const auth = isOauthClient(token) ? { oauth: token } : { bearer: token };
  return { client: new JsonClient({ ...access, auth }, WORDS, context, signal), url: access.url };
}
