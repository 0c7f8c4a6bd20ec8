import Table from 'cli-table3';
import { ExpressionCompiler } from '../../src/source/mapping/expressions/expression.ts';
import { Slots, type RawRecord } from '../../src/source/mapping/values/raw-record.ts';

const TABLES = new Map([['cities', new Map([['B', 'Berlin']])]]);

/** Expressions as configurations have them, the simple ones first. */
const EXPRESSIONS = [
  "status != 'left'",
  '!bit(uac, 2)',
  "given + ' ' + family",
  'upper(charAt(given, 0)) + lower(family)',
  "date(expires, 'dd.MM.yyyy') > now",
  "lookup('cities', site, 'elsewhere')",
  "all.groups.exists(g, g.startsWith('cn=staff,'))",
  "matches(given, '^ext-')",
  "regexReplace(tel, '[^0-9+]', '')",
  "phone(tel, 'DE')",
];

const RECORD: Readonly<Record<string, string | readonly string[]>> = {
  status: 'active',
  uac: '66048',
  given: 'Ann',
  family: 'Lee',
  expires: '31.12.2030',
  site: 'B',
  tel: '+49 (30) 1234-5678',
  groups: ['cn=all,dc=x', 'cn=staff,dc=x', 'cn=vpn,dc=x'],
};

const SECONDS = 0.5;

/** Prints how many records a second each expression takes. */
export function benchExpressions(): void {
  const table = new Table({ head: ['expression', 'evaluations a second'], style: { head: [], border: [] } });
  for (const text of EXPRESSIONS) table.push([text, Math.round(rateOf(text)).toLocaleString('en')]);
  process.stdout.write(`\nexpressions\n${table.toString()}\n`);
}

function rateOf(text: string): number {
  const slots = new Slots((name) => name);
  const expression = new ExpressionCompiler(TABLES).compile(text, slots);
  const cells = slots.names.map((name) => RECORD[name]);
  const records = Array.from({ length: 100 }, (): RawRecord => ({
    cells: [...cells],
    place: '',
    at: new Date(),
  }));
  round((raw) => expression.evaluate(raw), records, SECONDS / 5);
  return round((raw) => expression.evaluate(raw), records, SECONDS);
}

function round(
  evaluate: (raw: RawRecord) => unknown,
  records: readonly RawRecord[],
  seconds: number,
): number {
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < seconds * 1_000) {
    for (const record of records) evaluate(record);
    done += records.length;
  }
  return done / ((performance.now() - started) / 1_000);
}
