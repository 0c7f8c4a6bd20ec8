import { BYTE_FUNCTIONS, TEXT_FUNCTIONS } from './text-functions.ts';
import { DATE_FUNCTIONS } from './date-functions.ts';
import type { FunctionSpec } from './function-spec.ts';
import { RECORD_FUNCTIONS } from './record-functions.ts';

/** Functions of expressions in addition to those of CEL itself. */
export const FUNCTIONS: Readonly<Record<string, FunctionSpec>> = {
  ...RECORD_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...BYTE_FUNCTIONS,
};

/** The row of a function, or of something else, that CEL has itself. */
export interface CelRow {
  readonly usage: string;
  readonly about: string;
  readonly example: FunctionSpec['example'];
}

/** What is worth knowing of CEL itself; the names in brackets of calls are also what is suggested. */
export const CEL_ROWS: readonly CelRow[] = [
  {
    usage: 'now',
    about: 'the moment at which the run began to read; an attribute or column of that name is `all.now`',
    example: {
      expr: "expires != '' && now > date(expires)",
      record: { expires: '2020-01-01' },
      gives: 'true',
    },
  },
  {
    usage: 'all.NAME',
    about:
      "every value of an attribute, as a sorted list; `all['NAME'][0]` is the first one, `''` if there is none",
    example: { expr: 'all.mail', record: { mail: ['b@x', 'a@x'] }, gives: ['a@x', 'b@x'] },
  },
  {
    usage: '… ? … : …',
    about: 'one of two values',
    example: {
      expr: "sex == '1' ? 'male' : sex == '2' ? 'female' : ''",
      record: { sex: '1' },
      gives: 'male',
    },
  },
  {
    usage: '… in […]',
    about: 'whether a value is in a list',
    example: { expr: "status in ['active', 'leave']", record: { status: 'leave' }, gives: 'true' },
  },
  {
    usage: '&& || !',
    about: 'and, or, not',
    example: { expr: "mail != '' && !(grade == 'X')", record: { mail: 'a@x', grade: 'A' }, gives: 'true' },
  },
  {
    usage: '+',
    about: 'joins texts; also adds numbers and joins lists',
    example: { expr: "given + ' ' + family", record: { given: 'Ann', family: 'Lee' }, gives: 'Ann Lee' },
  },
  {
    usage: 'int(text), double(text), string(number)',
    about:
      'numbers of texts, and texts of numbers; a text that is no number fails, in a condition an empty one too',
    example: { expr: 'int(level) >= 10', record: { level: '12' }, gives: 'true' },
  },
  {
    usage: 'size(text) or size(list)',
    about: 'number of characters or values',
    example: { expr: 'size(all.member) > 1', record: { member: ['a', 'b'] }, gives: 'true' },
  },
  {
    usage: 'text.startsWith(text), text.endsWith(text), text.contains(text)',
    about: 'whether a text begins with another, ends with it, or has it somewhere',
    example: { expr: "dn.endsWith('ou=ext,dc=x')", record: { dn: 'uid=ann,ou=ext,dc=x' }, gives: 'true' },
  },
  {
    usage: 'text.substring(from) or text.substring(from, to)',
    about:
      'a part of it; the first character has index 0, the one at `to` is not part of it; a shorter text fails',
    example: { expr: 'size(code) < 2 ? code : code.substring(0, 2)', record: { code: 'DE-77' }, gives: 'DE' },
  },
  {
    usage: 'text.indexOf(text), text.lastIndexOf(text)',
    about: 'the index at which another text begins in it; -1 if it is not in it',
    example: { expr: "mail.indexOf('@')", record: { mail: 'ann@x' }, gives: '3' },
  },
  {
    usage: 'list.exists(x, …), list.all(x, …), list.exists_one(x, …)',
    about: 'whether something holds for one value, for all, or for exactly one',
    example: {
      expr: "all.memberOf.exists(g, g.startsWith('cn=staff,'))",
      record: { memberOf: ['cn=staff,dc=x', 'cn=a'] },
      gives: 'true',
    },
  },
  {
    usage: 'list.filter(x, …), list.map(x, …)',
    about: 'the values for which something holds, and what each value becomes',
    example: {
      expr: "all.dept.filter(d, d != '0').map(d, 'U' + d)",
      record: { dept: ['0', '7'] },
      gives: ['U7'],
    },
  },
  {
    usage: 'cel.bind(x, value, …)',
    about: 'gives a value a name',
    example: {
      expr: "cel.bind(p, split(name, ' '), p[size(p) - 1])",
      record: { name: 'Ann May Lee' },
      gives: 'Lee',
    },
  },
  {
    usage: 'moment.getFullYear(), getMonth(), getDate(), getHours()',
    about:
      "parts of a moment, in `sync.timezone` or in a zone, as in `getHours('Asia/Tokyo')`; January is month 0",
    example: { expr: 'date(born).getFullYear()', record: { born: '1990-05-01' }, gives: '1990' },
  },
];

/** How each function is called, by its name. */
export const USAGES: ReadonlyMap<string, string> = new Map([
  ...CEL_ROWS.flatMap(({ usage }) =>
    Array.from(
      usage.matchAll(/(?<call>(?:\b(?:text|list|cel|moment)\.)?(?<name>\w+)\([^)]*\))/gu),
      (match) => {
        const { name = '', call = '' } = match.groups ?? {};
        return [name, call] as const;
      },
    ),
  ),
  ...Object.entries(FUNCTIONS).map(([name, { usage }]) => [name, usage] as const),
]);
