/** What prevents or breaks a connection. */
export type NetworkFailure =
  | 'refused'
  | 'unknownHost'
  | 'noNameServer'
  | 'noWay'
  | 'silent'
  | 'dropped'
  | 'cut'
  | 'tooManyFiles'
  | 'noTls'
  | 'noCommonTls'
  | 'expired'
  | 'notYetValid'
  | 'otherName'
  | 'untrusted'
  | 'wantsCertificate'
  | 'endsHandshake'
  | 'refusesCertificate';

/** Codes of Node, OpenSSL and undici. */
const BY_CODE: Readonly<Record<string, NetworkFailure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'noNameServer',
  EHOSTUNREACH: 'noWay',
  ENETUNREACH: 'noWay',
  ETIMEOUT: 'silent',
  ETIMEDOUT: 'silent',
  UND_ERR_CONNECT_TIMEOUT: 'silent',
  UND_ERR_HEADERS_TIMEOUT: 'silent',
  ECONNRESET: 'dropped',
  ECONNCLOSED: 'dropped',
  EPIPE: 'dropped',
  UND_ERR_SOCKET: 'dropped',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut',
  EMFILE: 'tooManyFiles',
  ENFILE: 'tooManyFiles',
  ERR_SSL_WRONG_VERSION_NUMBER: 'noTls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'noTls',
  EPROTO: 'noCommonTls',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'wantsCertificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'endsHandshake',
};

/** The other side says what it holds against our certificate (RFC 8446, section 6.2). */
const REFUSED_CERTIFICATE = /_ALERT_.*(?:CERTIFICATE|UNKNOWN_CA|DECRYPT_ERROR|ACCESS_DENIED)/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|_ISSUER|ALTNAME/;

/** Returns what an error with this code says of the connection; `null`: nothing. */
export function networkFailure(code: string): NetworkFailure | null {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (REFUSED_CERTIFICATE.test(code)) return 'refusesCertificate';
  return CERTIFICATE.test(code) ? 'untrusted' : null;
}

/**
 * Returns the code of an error; `null`: it has none. The addresses of one host fail together, and the first one tells;
 * libraries put the error of the network into `cause`.
 */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}
