/** An error as `sqlError` takes it: the server's words, and a code for which there is a remedy. */
export class SqlServerProblem extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Codes of the driver, with those of Node that mean the same. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ['ETIMEOUT', 'ETIMEDOUT'],
  ['ECONNCLOSED', 'ECONNRESET'],
  ['ENOTOPEN', 'ECONNRESET'],
  ['ENOCONN', 'ECONNRESET'],
  ['EABORT', 'ECONNRESET'],
  ['ESOCKET', 'ECONNRESET'],
]);

/** Codes of the driver that say nothing of the reason. */
const OUTSIDE: ReadonlySet<string> = new Set(['ESOCKET', 'EREQUEST', 'ECONNCLOSED', 'EABORT']);

/**
 * Returns the innermost reason: errors of the server have a number, those of the network stand within several of the
 * driver, which have other codes.
 */
export function sqlServerProblem(error: unknown): unknown {
  const chain = chainOf(error);
  const numbered = chain.find((one) => typeof one['number'] === 'number');
  if (numbered !== undefined) {
    return new SqlServerProblem(numbered.message, `sqlserver ${String(numbered['number'])}`, error);
  }
  const codes = chain.filter((one) => typeof one['code'] === 'string');
  const inner = codes.findLast((one) => !OUTSIDE.has(String(one['code']))) ?? codes.at(-1);
  if (inner === undefined) return error;
  const code = String(inner['code']);
  return new SqlServerProblem(inner.message, SAME_AS.get(code) ?? code, error);
}

type Link = Error & Readonly<Record<string, unknown>>;

/** Returns an error, the one that it was made from, and so on to the first. */
function chainOf(error: unknown, depth = 0): readonly Link[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const link = error as Link;
  const several: unknown = link['errors'];
  const [first]: readonly unknown[] = Array.isArray(several) ? several : [];
  return [link, ...chainOf(link['originalError'] ?? link.cause ?? first, depth + 1)];
}
