import { expect, test } from 'vitest';
import { networkProblem } from '../../../src/source/connect/network-problem.ts';

test('a certificate for another name is told with the names in it, also through a driver’s error', () => {
  const words =
    "Hostname/IP does not match certificate's altnames: Host: a.b. is not in the cert's altnames: DNS:dc1\u202e.ad, DNS:x";
  const cause = Object.assign(new Error(words), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  expect(networkProblem(new Error('connect', { cause }))).toBe(
    String.raw`the server’s certificate is for another name; use a name it holds in source.url (ERR_TLS_CERT_ALTNAME_INVALID; it holds DNS:dc1\u202e.ad, DNS:x)`,
  );
});
