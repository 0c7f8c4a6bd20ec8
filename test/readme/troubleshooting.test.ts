import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boundProblem, busyProblem, ledgerProblem } from '../../src/ledger/database/problems.ts';
import {
  FAILURES,
  REFUSALS,
  serviceConfigProblem,
  serviceFileProblem,
  serviceProblem,
  serviceStopped,
  unclearView,
} from '../../src/service/wire/problems.ts';
import { doubtful, unsent } from '../../src/notify/channel-problems.ts';
import { placeProblem } from '../../src/app/setup.ts';
import { historyProblem } from '../../src/report/describe-history.ts';
import { commandProblem, onlyProblem } from '../../src/commands/problems.ts';
import { fullRead } from '../../src/domain/full-reads.ts';
import { REASONS } from '../../src/domain/reasons/reasons.ts';
import { readProblem, requestProblem, serviceRunProblem, stopped } from '../../src/domain/run-problems.ts';
import { ldapMistake, ldapProblem, refused, unanswered } from '../../src/source/ldap/wire/ldap-problems.ts';
import { lookupProblem, sourceProblem } from '../../src/source/connect/source-problems.ts';
import { csvProblem } from '../../src/source/csv/csv-problems.ts';
import { scimProblem } from '../../src/source/scim/scim-problems.ts';
import { httpProblem, loginProblem } from '../../src/source/http/problems.ts';
import { sqlProblem, sqlRefused } from '../../src/source/sql/sql-error.ts';
import { matches, readTexts } from './messages.ts';
import { fileProblem } from '../../src/config/config-text.ts';
import { CONFIG_PROBLEMS } from '../../src/schema/config-problems.ts';
import { ROOT, tableOf, withTables } from './page.ts';

/** The tables of each room. */
const PROBLEMS = {
  source: [sourceProblem, lookupProblem],
  sql: [sqlProblem, sqlRefused],
  csv: [csvProblem],
  scim: [scimProblem],
  http: [httpProblem, loginProblem],
  configurations: [fileProblem, { table: CONFIG_PROBLEMS }],
  ldap: [ldapProblem, unanswered, refused, ldapMistake],
  runs: [readProblem, serviceRunProblem, requestProblem, stopped],
  commands: [commandProblem, onlyProblem, historyProblem, placeProblem],
  ledger: [ledgerProblem, busyProblem, boundProblem],
  notices: [unsent, doubtful],
  service: [
    serviceProblem,
    serviceConfigProblem,
    { table: FAILURES },
    { table: REFUSALS },
    unclearView,
    serviceStopped,
    serviceFileProblem,
  ],
};
const TABLES = Object.entries(PROBLEMS).map(
  ([room, made]) => [room, made.flatMap(({ table }) => Object.entries<string>(table))] as const,
);

/** Returns a sentence with `…` for each value. */
const unfilled = (sentence: string): string => sentence.replaceAll(/\{[^}]+\}/gu, '…');
const cellsOf = ([code, sentence]: readonly [string, string]): readonly string[] => [
  `\`${code}\``,
  unfilled(sentence).replaceAll('|', String.raw`\|`),
];

/** What is nearly nothing but values says nothing that could be looked up. */
const isWorded = (text: string): boolean => text.replaceAll(/[^a-z]/giu, '').length > 12;
/** What stands before a message of a room, and says nothing about this one. */
const BEFORE = /^(?:(?:…|ledger(?: key)? …|backup …|revert …|source|service|sync|call|history)[:.…]* )+/u;
/** What many messages say alike. */
const ALIKE = /^(?:the read is|nothing was|no more than)/u;
const MOST_WORDS = 5;

/** Returns how a message begins: its first clause that says something of its own, at most five words of it. */
function beginningOf(sentence: string): string {
  const text = unfilled(sentence)
    .replaceAll(/…(?: …|…)+/gu, '…')
    .replace(BEFORE, '');
  const clauses = text.split(/(?<=[;:]|\w\w\.|…\.|\)\.) /u).filter((one) => !ALIKE.test(one));
  const words = (clauses.find(isWorded) ?? '').split(' ');
  const shown = words
    .slice(0, MOST_WORDS)
    .join(' ')
    .replace(/[\s.,:;…]+$/u, '');
  return isWorded(shown) ? shown + (words.length > MOST_WORDS ? '…' : '') : '';
}

const listOf = (lines: readonly string[]): string => ['```text', ...lines.toSorted(), '```'].join('\n');

/** Returns the codes of a room, one a line, each with the beginning of its message. */
function codesOf(problems: readonly (readonly [string, string])[]): string {
  const width = Math.max(...problems.map(([code]) => code.length)) + 2;
  return listOf(problems.map(([code, text]) => (code.padEnd(width) + beginningOf(text)).trimEnd()));
}

const { all, messages } = readTexts();

test('the page has the problems of each room and the reasons, by code', async () => {
  const rooms = TABLES.map(([room, problems]) => [`problems of ${room}`, codesOf(problems)] as const);
  const reasons = Object.entries(REASONS).filter(([code]) => code !== 'words');
  const uncoded = [...new Set(messages.filter(isWorded).map((one) => beginningOf(one) || one))];
  const { is, made } = await withTables('docs/troubleshooting.md', {
    ...Object.fromEntries(rooms),
    'problems of configurations': tableOf(['code', 'message'], Object.entries(CONFIG_PROBLEMS).map(cellsOf)),
    reasons: codesOf(reasons),
    'without a code': listOf(uncoded),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

const WHY_FULL = Object.entries<string>(fullRead.table);
/** What the next read no longer finds: nothing has to be done. */
const ONCE = new Set(
  ['asked', 'both', 'clock', 'container', 'count', 'due', 'first', 'lost', 'many', 'mark', 'people']
    .concat('restored', 'server', 'settings', 'source', 'summer', 'way')
    .map((name) => `full-${name}`),
);

test('docs/incremental-reads.md has the reasons for a full read', async () => {
  const isOnce = ([code]: readonly [string, string]): boolean => ONCE.has(code);
  const lasting = WHY_FULL.filter((one) => !isOnce(one));
  const { is, made } = await withTables('docs/incremental-reads.md', {
    'reasons that pass': listOf(WHY_FULL.filter(isOnce).map(([code]) => code)),
    'reasons that stay': listOf(lasting.map(([code, text]) => `${code}  ${unfilled(text)}`)),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

test('a code is that of one problem, and is used', () => {
  const codes = [...TABLES.flatMap(([, problems]) => problems), ...WHY_FULL].map(([code]) => code);
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
  // Once in its table, and where the error is made.
  const unused = codes.filter((code) => all.filter((text) => text === code).length < 2);
  expect(unused).toEqual([]);
});

const PAGE = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
/** In a table, the messages of a row stand in its first cell, each as code. */
const OF_TABLES = PAGE.split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [
    ...(/^\| (?<cell>(?:[^|]|\\\|)*) \|/u.exec(line)?.groups?.['cell'] ?? '').matchAll(/`(?<text>[^`]+)`/gu),
  ])
  .map(({ groups }) => (groups?.['text'] ?? '').replaceAll(String.raw`\|`, '|'));
/** In a list, the code stands first, two blanks or more before the message. */
const OF_LISTS = [...PAGE.matchAll(/^```text\n(?<list>.*?)^```/gmsu)]
  .flatMap(({ groups }) => (groups?.['list'] ?? '').trimEnd().split('\n'))
  .flatMap((line) => line.split(/ {2,}/u));
const PATTERNS = [...OF_TABLES, ...OF_LISTS];

test('each message on the page is one of the program', () => {
  expect(PATTERNS.filter((pattern) => !all.some((text) => matches(text, pattern)))).toEqual([]);
});

/** A message is on the page if a pattern has a good part of its words. */
const isFound = (message: string): boolean =>
  PATTERNS.some((pattern) => matches(message, pattern) && isWorded(pattern));

test('each error and warning of the program is on the page', () => {
  const missing = messages.filter((message) => isWorded(message) && !isFound(message));
  expect(missing).toEqual([]);
});
