/**
 * What tells one source from another: its kind, its server, database or files, and the rules of the ids. A wider base, another
 * query, filter or field is the same source, which may hold more, fewer or other records.
 */
export interface SourceIdentity {
  /** Of a database, which one. */
  readonly kind: string;
  /**
   * Server or database, without user and password; several if any of them may answer. Two lists with one
   * in common are the same.
   */
  readonly place: string | readonly string[];
  readonly unitId: string;
  readonly personId: string;
}

export function spellIdentity({ kind, place, unitId, personId }: SourceIdentity): string {
  return JSON.stringify({ kind, place, unitId, personId } satisfies SourceIdentity);
}

/** Returns what of an identity decides about records: which server or database answers does not. */
export function withoutPlace(identity: string): string {
  const parts = partsOf(identity);
  return parts === null ? identity : JSON.stringify({ ...parts, place: null });
}

const SHOWS_ALL: ReadonlySet<unknown> = new Set([
  'postgres',
  'mysql',
  'sqlserver',
  'oracle',
  'sqlite',
  'csv',
]);

/** Returns whether the source shows all that is there: a directory may hide single records from the reading account. */
export const showsAllRecords = (identity: string): boolean => SHOWS_ALL.has(partsOf(identity)?.kind);

const WORDS = {
  kind: 'its kind',
  place: 'its files, server or database',
  unitId: 'the id of units',
  personId: 'the id of people',
} as const satisfies Record<keyof SourceIdentity, string>;

/**
 * Returns in words how a source differs from the one that the ledger knows; `null`: it is the same, or the
 * ledger knows none yet. `check` calls this before a run does.
 *
 * @param known the ledger's fact `identity`
 * @param now the source's `identity`
 */
export function sourceChange(known: string | null, now: string): string | null {
  if (known === null || known === now) return null;
  const after = partsOf(now);
  const before = partsOf(known);
  if (before === null || after === null) return `it was ${known} and is ${now} now`;
  const changes = PARTS.filter((part) => before[part] !== undefined && !isSame(before[part], after[part]));
  if (changes.length === 0) return null;
  return changes
    .map(
      (part) =>
        `${WORDS[part]} was ${valueInWords(part, before[part])} and is ${valueInWords(part, after[part])} now`,
    )
    .join(', ');
}

/**
 * Returns what the ledger remembers of the last read if that was of this source, and `null` otherwise. A list of servers
 * that was edited is the same source.
 */
export function ofSameSource<F extends { readonly identity: string }>(
  fact: F | null,
  identity: string,
): F | null {
  return fact === null || sourceChange(fact.identity, identity) !== null ? null : fact;
}

const PARTS = ['kind', 'place', 'unitId', 'personId'] as const satisfies readonly (keyof SourceIdentity)[];

/** Returns a value in words; an id of units is without a rule if they are made from values of people. */
function valueInWords(part: keyof SourceIdentity, value: unknown): string {
  const text = textOf(value);
  const isMade = part === 'unitId' && /^(?:(?:[^,:]*: )?(?:, |$))+$/u.test(text);
  if (isMade) return 'the value of people (units.distinct)';
  // Of several sources, those that have no such part.
  return text.replaceAll(/: (?=,|$)/gu, ': none');
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((each) => textOf(each)).join(' or ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function isSame(before: unknown, after: unknown): boolean {
  const now = new Set<unknown>([after].flat());
  return [before].flat().some((each) => now.has(each));
}

type IdentityParts = Readonly<Partial<Record<keyof SourceIdentity, unknown>>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function partsOf(text: string): IdentityParts | null {
  const value = parsed(text);
  return typeof value === 'object' ? value : null;
}
