import { notOneSelect, type SqlTask } from './sql-error.ts';

/** How an engine writes what is no word of a statement. */
export interface Lexicon {
  /** Comments, texts and quoted names; one that is not ended reaches to the end. */
  readonly quoted: RegExp;
  /** Reserved words that no statement which only reads has. */
  readonly changing: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

const LINE_COMMENT = String.raw`--[^\r\n]*`;
const TEXT = String.raw`'(?:[^']|'')*(?:'|$)`;
const NAME = String.raw`"(?:[^"]|"")*(?:"|$)`;

/**
 * Transact-SQL. Its statements need no semicolon between them, so that every word counts. All of these are
 * reserved: a column that is called so stands in brackets (Reserved keywords, Transact-SQL). Comments are nested
 * there: what is within an inner one is looked at, and can only be refused needlessly.
 */
export const TRANSACT_SQL: Lexicon = {
  quoted: new RegExp([LINE_COMMENT, TEXT, NAME, String.raw`\[(?:[^\]]|\]\])*(?:\]|$)`].join('|'), 'gu'),
  changing: words(
    'alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny drop ' +
      'dump exec execute goto grant if insert into kill load merge openquery openrowset opendatasource print raiserror ' +
      'readtext reconfigure restore return revert revoke rollback save set shutdown truncate update updatetext use ' +
      'waitfor while writetext',
  ),
};

/**
 * Oracle. One call takes one statement, so that its first word tells what it is; what is locked or declared
 * within it is refused as well.
 */
export const ORACLE_SQL: Lexicon = {
  quoted: new RegExp(
    [
      LINE_COMMENT,
      String.raw`(?<![\w$#])n?q'\[[\s\S]*?(?:\]'|$)`,
      String.raw`(?<![\w$#])n?q'\{[\s\S]*?(?:\}'|$)`,
      String.raw`(?<![\w$#])n?q'\([\s\S]*?(?:\)'|$)`,
      String.raw`(?<![\w$#])n?q'<[\s\S]*?(?:>'|$)`,
      String.raw`(?<![\w$#])n?q'([^\s[{(<])[\s\S]*?(?:\1'|$)`,
      TEXT,
      NAME,
    ].join('|'),
    'giu',
  ),
  changing: words('alter create delete drop grant insert into lock revoke update truncate'),
};

const WORD = /[\p{L}_@#][\p{L}\p{N}_@#$]*/gu;

/**
 * Requires that a query is one statement that only reads, by its words. For engines whose read-only transaction does
 * not stop everything, and whose parser cannot be asked without rights that a reading account lacks. Throws
 * before anything is sent.
 */
export function requireReading(task: SqlTask & { readonly query: string }, lexicon: Lexicon): void {
  const bare = withoutQuoted(task.query, lexicon).replace(/[\s;]+$/u, '');
  const all = (bare.match(WORD) ?? []).map((word) => word.toLowerCase());
  const [first] = all;
  if (first !== 'select' && first !== 'with')
    throw notOneSelect(task, `it begins with ${first ?? 'no word'}`);
  if (bare.includes(';')) throw notOneSelect(task, 'there is a ; within it');
  if (first === 'with' && (all[1] === 'function' || all[1] === 'procedure')) {
    throw notOneSelect(task, `it declares a ${all[1]}`);
  }
  const changing = all.find((word) => lexicon.changing.has(word));
  if (changing !== undefined) throw notOneSelect(task, `it has the word ${changing.toUpperCase()}`);
}

/** Replaces texts, quoted names and comments, in the order in which they begin. */
function withoutQuoted(query: string, { quoted }: Lexicon): string {
  const block = /\/\*[\s\S]*?\*\//u;
  const either = new RegExp(`${block.source}|${quoted.source}`, quoted.flags);
  return query.replaceAll(either, (piece) => (/^(?:--|\/\*)/u.test(piece) ? ' ' : ' "" '));
}
