import { FilterParser, type Filter } from 'ldapts';
import { ConfigError, RollcallError, SourceError, wordsOf } from '../../../domain/errors.ts';
import { problemsOf } from '../../../domain/problems.ts';
import { printable } from '../../../domain/text/printable.ts';
import { networkProblem } from '../../connect/network-problem.ts';
import { RefusedSecretError } from '../../connect/refusals.ts';
import { ProtocolError } from './ber.ts';
import type { LdapResult } from './message.ts';
import { policyOf } from './password-policy.ts';

/** The server cannot be reached, says nothing, or is busy: another one of the same directory may answer. */
export class UnansweredError extends SourceError {}

/** `at`: the server and what was being done there; `said`: the words of the server in brackets, or nothing. */
export const ldapProblem = problemsOf(SourceError, {
  'ldap-anonymous':
    '{at}: it answers nobody who is not bound{said}. Set source.bindDn and source.bindPassword.',
  'ldap-no-start-tls':
    '{at}: the server offers no StartTLS{said}. Give it a certificate, or use ldaps://; startTls: false sends the password in clear.',
  'ldap-tls-needed':
    '{at}: the server forbids it, most often without TLS{said}. Use ldaps://, or remove startTls: false, and look at its log.',
  'ldap-limit':
    '{at}: a limit of the server ended the search, so that the read is incomplete{said}. Raise its limits for source.bindDn, which has to read pages of 500, or add an index.',
  'ldap-no-paging':
    '{at}: the server has no paged results (RFC 2696){said}, without which no read is known to be complete.',
  'ldap-no-entry':
    '{at}: the entry does not exist, or source.bindDn may not see it{said}. Correct {path}.base, or give it the right.',
  'ldap-no-dn': '{at}: that is no DN{said}. Correct source.bindDn, or {path}.base.',
  'ldap-no-right': '{at}: source.bindDn may not read there{said}. Give it the right.',
  'ldap-elsewhere':
    '{at}: a part is on another server ({servers}), so that the read is incomplete. Make that server one of sources, or narrow the base.',
  'ldap-result': '{at}: the server ended it{said}; the read is incomplete. Look at its log.',
  'ldap-password': '{at}: {why}.',
  'ldap-twice':
    '{at}: {dn} came twice, so that pages overlap and others may be missing. If this repeats, name one server in source.url rather than several behind one address.',
  'ldap-no-proof':
    '{at}: a page came without the control of paged results, so that it is unknown whether more follows. Look at what stands between here and the server.',
  'ldap-empty-pages': '{at}: more than {most} empty pages came; the read is incomplete.',
  'ldap-range':
    'source: the values of {attribute} of {dn} did not come to their end (range=), so that the read is incomplete.',
  'ldap-other-vendor':
    'source.vendor: the configuration says {named}, but the server says that it is {title}. Write vendor: {found}, or leave it out and write every filter and field.',
  'ldap-no-server': 'None of the servers in source.url answers: {failures}',
  'ldap-exclusion':
    '{place}: the directory does not know the attribute {name}, so that this excludes everybody or no one; {remedy}.',
  'ldap-no-group':
    '{path}: the group {dn} does not exist, or source.bindDn may not read it. Give the right to read it; if it was deleted, remove it where it is named.',
  'ldap-no-members':
    '{groups}: no member is shown, so that no person would belong to it. Check that source.bindDn may read {attributes} of groups.',
  'ldap-nobody':
    '{place}: no person of source.people is a member of {groups}{sides}. Check the base and filter of source.people.',
  'ldap-no-context':
    '{server}: its root entry names no naming context, or this account may not see it. Name the entry that people lie below with --base.',
  'ldap-no-person':
    '{server}: no person is found below {start} by {filters}. Let this account read the people there, or name the entry that they lie below with --base.',
  'ldap-deep':
    'source: the group {dn} is in more than {most} groups, each in the next one. Nest the groups less.',
});

/** As `ldapProblem`, if another server of the same directory may answer. */
export const unanswered = problemsOf(UnansweredError, {
  'ldap-busy': '{at}: the server is busy, or ends the connection{said}. The next run tries again.',
  'ldap-protocol':
    '{at}: what came is no LDAP that answers: {what}. Look at what stands between here and the server.',
  'ldap-unreachable': '{at}: {what}.',
  'ldap-no-tls': '{at}: {what}; does this port speak TLS? ldaps:// is usually 636; on 389, use ldap://.',
  'ldap-silent': '{at}: no answer in time. Look at the server’s load.',
});

/** As `ldapProblem`, if the account or its secret is refused. */
export const refused = problemsOf(RefusedSecretError, {
  'ldap-login': '{at}: {why}{said}. Check source.bindDn and source.bindPassword.',
  'ldap-certificate': '{at}: the directory refuses this certificate{said}. Check source.tls.certFile.',
});

export const ldapMistake = problemsOf(ConfigError, {
  'ldap-filter': '{place}: {filter} is no LDAP filter (RFC 4515): {what}.',
  'ldap-base': '{path}.base: {dn} is no DN (RFC 4514).',
  'ldap-exclude': '{place}: {text} is neither a DN (RFC 4514) nor a filter in brackets; write one of them.',
  'ldap-catalog':
    'source.url: {port} is the port of a global catalog, which has only a part of each entry. Write 389 or 636, and each domain as one of sources.',
});

/** What was being done: its place in the configuration, and the action in words. */
export interface LdapTask {
  /** E.g. `the LDAP server ldap://dc1:389`. */
  readonly server: string;
  /** E.g. `source.units`, for a search. */
  readonly path: string;
  /** E.g. `binding as cn=reader,dc=example,dc=com`. */
  readonly doing: string;
}

/** What is done, if a connection that is open is to be encrypted. */
export const START_TLS = 'StartTLS';
/** The end of what a bind by SASL EXTERNAL (RFC 4422) is called. */
export const BY_CERTIFICATE = 'by the certificate in source.tls.certFile';

/** Problems by result code (RFC 4511, appendix A). */
const RESULTS = {
  1: 'ldap-anonymous',
  2: 'ldap-protocol',
  3: 'ldap-limit',
  4: 'ldap-limit',
  7: 'ldap-login',
  8: 'ldap-tls-needed',
  10: 'ldap-elsewhere',
  11: 'ldap-limit',
  12: 'ldap-no-paging',
  13: 'ldap-tls-needed',
  32: 'ldap-no-entry',
  34: 'ldap-no-dn',
  48: 'ldap-login',
  49: 'ldap-login',
  50: 'ldap-no-right',
  51: 'ldap-busy',
  52: 'ldap-busy',
  53: 'ldap-tls-needed',
} as const satisfies Readonly<Record<number, string>>;
type Problem = (typeof RESULTS)[keyof typeof RESULTS];

/** What Active Directory says behind a refused bind, as in `data 52e`, by the end of the word. */
const REFUSED_BINDS: Readonly<Record<string, string>> = {
  525: 'there is no such account',
  '52e': 'the name or the password is wrong',
  530: 'the account may not log on at this time',
  531: 'the account may not log on from here',
  532: 'its password has expired',
  533: 'the account is disabled',
  701: 'the account has expired',
  773: 'its password has to be changed first',
  775: 'the account is locked',
};

export const placeOf = ({ server, doing }: LdapTask): string => `${server}, ${doing}`;

/** Returns the error for what ended with another code than success. */
export function refusedBy(result: LdapResult, task: LdapTask): SourceError {
  const at = placeOf(task);
  const said = saidBy(result);
  const code: Problem | undefined = (RESULTS as Readonly<Record<number, Problem>>)[result.code];
  if (code === 'ldap-busy') return unanswered(code, { at, said });
  if (task.doing === START_TLS) return ldapProblem('ldap-no-start-tls', { at, said });
  if (code === 'ldap-protocol')
    return unanswered(code, { at, what: `the server takes no such request${said}` });
  if (code === 'ldap-login') return loginRefused(result, task);
  const why = policyOf(result.controls).refused;
  if (why !== undefined) return ldapProblem('ldap-password', { at, why });
  return ldapProblem(code ?? 'ldap-result', {
    at,
    said,
    servers: serversIn(result.referrals),
    path: task.path,
  });
}

function loginRefused(result: LdapResult, task: LdapTask): SourceError {
  const at = placeOf(task);
  const said = saidBy(result);
  if (task.doing.endsWith(BY_CERTIFICATE)) return refused('ldap-certificate', { at, said });
  const word = /\bdata (?<word>\w{3})\b/u.exec(result.text)?.groups?.['word']?.toLowerCase() ?? '';
  const why = policyOf(result.controls).refused ?? REFUSED_BINDS[word];
  return refused('ldap-login', { at, said, why: why ?? 'the directory refuses this name or password' });
}

/** Returns the words of a server in brackets. */
const saidBy = ({ code, text }: Pick<LdapResult, 'code' | 'text'>): string =>
  ` (${['result code', code, text.trim()].join(' ').trim()})`;

/** Returns the first of the addresses that a server refers to. */
export const serversIn = (uris: readonly string[]): string =>
  uris
    .slice(0, 3)
    .map((uri) => printable(uri))
    .join(', ');

/** The server ends the connection and says why (RFC 4511, section 4.4.1). */
export class DisconnectedError extends Error {
  readonly result: LdapResult;

  constructor(result: LdapResult) {
    super('the server ended the connection');
    this.result = result;
  }
}

/** Nothing came in time. */
export class SilentError extends Error {}

/** Translates what broke a connection. */
export function ldapError(error: unknown, task: LdapTask): RollcallError {
  if (error instanceof RollcallError) return error;
  const at = placeOf(task);
  const details = { cause: error };
  if (error instanceof DisconnectedError)
    return unanswered('ldap-busy', { at, said: saidBy(error.result) }, details);
  if (error instanceof ProtocolError)
    return unanswered('ldap-protocol', { at, what: error.message }, details);
  if (error instanceof SilentError) return unanswered('ldap-silent', { at }, details);
  const what = networkProblem(error) ?? wordsOf(error);
  const isNoTls = what.endsWith('(ECONNRESET)') && task.server.includes('ldaps:');
  return unanswered(isNoTls ? 'ldap-no-tls' : 'ldap-unreachable', { at, what }, details);
}

/**
 * Parses a filter. Blanks and line breaks between conditions, as YAML folds them, are removed: RFC 4515 has
 * none. ldapts accepts missing parentheses, and may then ask for something that was not meant, so they are
 * counted. In values they are `\28`, `\29`.
 *
 * @param place of the filter in the configuration
 */
export function parseFilter(place: string, filter: string): Filter {
  const dense = filter.trim().replaceAll(/(?<=[()]|\([&|!])\s+(?=[()])/g, '');
  try {
    const count = (paren: string): number => dense.split(paren).length;
    if (count('(') !== count(')')) throw new Error('its parentheses do not match');
    return FilterParser.parseString(dense);
  } catch (cause) {
    throw ldapMistake('ldap-filter', { place, filter, what: wordsOf(cause) }, { cause });
  }
}
