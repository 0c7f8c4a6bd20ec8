/** An error as `sqlError` takes it: the database's words, and a code for which there is a remedy. */
export class OracleProblem extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Codes of the network, with the driver's code or the words that stand for them. */
const NETWORK: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/u, 'ECONNREFUSED'],
  [/^NJS-530/u, 'ENOTFOUND'],
  [/^NJS-510|ETIMEDOUT/u, 'ETIMEDOUT'],
  [/^NJS-50[78]/u, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/self[- ]signed certificate|unable to (?:verify|get).*certificate/iu, 'CERT_UNTRUSTED'],
  [/certificate has expired/iu, 'CERT_HAS_EXPIRED'],
  [/wrong version number/iu, 'ERR_SSL_WRONG_VERSION_NUMBER'],
  [/does not match.*certificate|NJS-50[78]/iu, 'ERR_TLS_CERT_ALTNAME_INVALID'],
];

/** Returns an error of the driver with the code of what it says: it keeps that of Node in its words alone. */
export function oracleProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [line = ''] = error.message.split('\n');
  const known = NETWORK.find(([pattern]) => pattern.test(error.message));
  const own = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return new OracleProblem(line.replace(/ \(CONNECTION_ID=[^)]*\)/u, ''), known?.[1] ?? own, error);
}
