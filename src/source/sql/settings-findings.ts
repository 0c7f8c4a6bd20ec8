import type { Finding, Raw } from '../../schema/raw.ts';

/** Returns what only several keys of a database together show; the paths begin at the source. */
export const databaseFindings = (source: Raw): readonly Finding[] => [
  ...tlsWithoutNetwork(source),
  ...passwordWithoutUser(source),
];

function tlsWithoutNetwork({ tls, url }: Raw): readonly Finding[] {
  if (tls === undefined || !/^\s*sqlite:/iu.test(String(url))) return [];
  return [{ path: ['tls'], wrong: 'means nothing for sqlite:, which is a file', remedy: 'remove it' }];
}

/** Finds the password of a database whose URL names no user, or has a password too. */
function passwordWithoutUser({ password, url }: Raw): readonly Finding[] {
  if (password === undefined || typeof url !== 'string') return [];
  const user = /^[^/]*\/\/([^/]*)@/u.exec(url)?.[1] ?? '';
  if (user !== '' && !user.includes(':')) return [];
  const wrong = user === '' ? 'stands without a user in url' : 'is given as well as a password in url';
  return [{ path: ['password'], wrong, remedy: 'write url as scheme://user@host/database' }];
}
