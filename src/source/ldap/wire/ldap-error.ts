import { FilterParser, ResultCodeError, type Filter } from 'ldapts';
import { ConfigError, RollcallError, SourceError, wordsOf } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import { networkProblem } from '../../connect/network-problem.ts';
import { RefusedSecretError } from '../../connect/refusals.ts';
import { DisconnectedError } from './answers.ts';
import { ProtocolError } from './ber.ts';
import type { LdapResult } from './parse-message.ts';

/** The server cannot be reached, says nothing, or is busy: another one of the same directory may answer. */
export class UnansweredError extends SourceError {}

/** What was being done: its place in the configuration, and the action in words. */
export interface LdapTask {
  /** E.g. `the LDAP server ldap://dc1:389`. */
  readonly server: string;
  /** E.g. `source.units`, for a search. */
  readonly path: string;
  /** E.g. `binding as cn=reader,dc=example,dc=com`. */
  readonly doing: string;
  readonly base?: string;
  /** Of a bind: returns why the server refuses it, with what to do, as far as it says so besides its result. */
  readonly whyRefused?: () => string | undefined;
}

/** What is done, if a connection that is open is to be encrypted. */
export const START_TLS = 'StartTLS';

const INCOMPLETE = 'the read is incomplete and nothing of it is used';

/** The end of what a bind by SASL EXTERNAL (RFC 4422) is called. */
export const BY_CERTIFICATE = 'by the certificate in source.tls.certFile';

const isByCertificate = ({ doing }: LdapTask): boolean => doing.endsWith(BY_CERTIFICATE);
type Remedy = string | ((task: LdapTask) => string);

/** Remedies by result code (RFC 4511, appendix A); sentences end without a full stop. */
const REMEDIES: Readonly<Record<number, Remedy>> = {
  1: 'operationsError; Active Directory says so to unbound clients: set source.bindDn and source.bindPassword',
  2: ({ doing }) =>
    doing === START_TLS
      ? 'the server offers no StartTLS: give it a certificate, or use ldaps:// where it has a port for that'
      : 'protocolError: the server takes no LDAPv3 request of this kind; look at what stands between here and the server',
  3: `timeLimitExceeded: ${INCOMPLETE}; raise source.timeoutSeconds or the server’s limit for source.bindDn`,
  4: `sizeLimitExceeded: ${INCOMPLETE}; raise the server’s size limit for source.bindDn`,
  7: 'authMethodNotSupported: the server does not take this way to bind; set source.bindDn and bindPassword, or tls.certFile without them',
  8: 'strongerAuthRequired: use ldaps:// or source.startTls',
  10: ({ path }) => `referral: ${path}.base is on another server; set source.url to that one`,
  11: `adminLimitExceeded: ${INCOMPLETE}; raise the server’s limit for source.bindDn, which has to let it read pages of 500, or add an index`,
  12: 'the server has no paged results (RFC 2696), which a complete read needs',
  13: 'confidentialityRequired: use ldaps:// or source.startTls',
  32: ({ path, base }) =>
    `noSuchObject: ${path}.base ${base} does not exist, or source.bindDn may not see it`,
  34: ({ path, base }) =>
    `invalidDNSyntax: ${base === undefined ? 'source.bindDn' : `${path}.base`} is no DN`,
  48: (task) =>
    `inappropriateAuthentication: check ${isByCertificate(task) ? 'source.tls.certFile' : 'source.bindDn and source.bindPassword'}`,
  49: (task) =>
    isByCertificate(task)
      ? 'the directory refuses this certificate; check source.tls.certFile'
      : 'the directory refuses this name or password; check source.bindDn and source.bindPassword',
  50: 'insufficientAccessRights: grant source.bindDn the right to read there',
  51: 'busy; it is tried again at the next run',
  52: 'unavailable; it is tried again at the next run',
  53: 'unwillingToPerform: the server’s settings forbid it, e.g. a bind without TLS or with an empty password; see its log, use ldaps:// or source.startTls',
  80: `other: an error inside the server: ${INCOMPLETE}; see its log`,
};

const KINDS: Readonly<Record<number, typeof SourceError>> = {
  49: RefusedSecretError,
  51: UnansweredError,
  52: UnansweredError,
};

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

type RefusedResult = Pick<LdapResult, 'code' | 'text' | 'referrals'>;

/** Returns the error for a search that ended with another code than success; with it, where the server refers to. */
export function refusedBy({ code, text, referrals }: RefusedResult, task: LdapTask): SourceError {
  const named = referrals.slice(0, 3).map((uri) => printable(uri));
  return resultError(code, [text.trim(), ...named].filter((word) => word !== '').join(' '), task);
}

function resultError(code: number, text: string, task: LdapTask, cause?: unknown): SourceError {
  const Kind = KINDS[code] ?? SourceError;
  return new Kind(`${task.server}, ${task.doing}: ${meaningOf(code, text, task)}.`, { cause });
}

function meaningOf(code: number, text: string, task: LdapTask): string {
  const known = task.whyRefused?.() ?? REMEDIES[code] ?? `result code ${code}`;
  const word = code === 49 ? /\bdata (?<word>\w{3})\b/u.exec(text)?.groups?.['word'] : undefined;
  const reason = REFUSED_BINDS[word?.toLowerCase() ?? ''];
  const said = typeof known === 'string' ? known : known(task);
  const remedy = reason === undefined ? said : `${reason}; ${said}`;
  return text.trim() === '' ? remedy : `${remedy} (${text.trim()})`;
}

/** Translates what ldapts, Node or the network threw. */
export function ldapError(error: unknown, task: LdapTask): RollcallError {
  if (error instanceof RollcallError) return error;
  const place = `${task.server}, ${task.doing}`;
  if (error instanceof ResultCodeError) {
    const text = error.message.replace(/ ?Code: 0x[0-9a-f]+$/i, '');
    return resultError(error.code, text, task, error);
  }
  if (error instanceof DisconnectedError) {
    const { code, text } = error.result;
    const why = `the server ended the connection: ${meaningOf(code, text, task)}; ${INCOMPLETE}`;
    return new UnansweredError(`${place}: ${why}.`, { cause: error });
  }
  if (error instanceof ProtocolError) {
    const remedy = 'look at what stands between here and the server, and at the server’s log';
    const why = `what came is no LDAP that answers: ${error.message}; ${INCOMPLETE}; ${remedy}`;
    return new UnansweredError(`${place}: ${why}.`, { cause: error });
  }
  const network = networkProblem(error);
  if (network !== null && network.endsWith('(ECONNRESET)') && task.server.includes('ldaps:')) {
    const remedy =
      'does this port speak TLS? ldaps:// is usually 636; on 389, use ldap:// and source.startTls';
    return new UnansweredError(`${place}: ${network}; ${remedy}.`, { cause: error });
  }
  if (network !== null) return new UnansweredError(`${place}: ${network}.`, { cause: error });
  const words = wordsOf(error);
  if (/timed out|timeout/i.test(words)) return timeoutError(place, error);
  return new UnansweredError(`${place}: ${words}; ${INCOMPLETE}.`, { cause: error });
}

function timeoutError(place: string, cause: unknown): SourceError {
  const remedy = 'look at the server’s load, or raise source.timeoutSeconds';
  return new UnansweredError(`${place}: no answer in time; ${INCOMPLETE}; ${remedy}.`, { cause });
}

/** @param place of the filter in the configuration */
function filterError(place: string, filter: string, cause: unknown): ConfigError {
  const words = wordsOf(cause);
  return new ConfigError(`${place}: ${filter} is no LDAP filter (RFC 4515): ${words}.`, { cause });
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
  } catch (error) {
    throw filterError(place, filter, error);
  }
}
