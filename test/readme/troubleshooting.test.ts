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

/** Values stand as `…`, as in the rows that are written by hand. */
const cellsOf = ([code, sentence]: readonly [string, string]): readonly string[] => [
  `\`${code}\``,
  sentence.replaceAll(/\{[^}]+\}/gu, '…').replaceAll('|', String.raw`\|`),
];

test('the page has the problems of each room and the reasons, by code', async () => {
  const rows = TABLES.map(([room, problems]) => {
    return [`problems of ${room}`, tableOf(['code', 'message'], problems.map(cellsOf))] as const;
  });
  const reasons = Object.entries(REASONS).filter(([code]) => code !== 'words');
  const { is, made } = await withTables('docs/troubleshooting.md', {
    ...Object.fromEntries(rows),
    reasons: tableOf(['code', 'message'], reasons.map(cellsOf)),
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

const WHY_FULL = Object.entries<string>(fullRead.table);

test('docs/incremental-reads.md has the reasons for a full read', async () => {
  const { is, made } = await withTables('docs/incremental-reads.md', {
    'reasons for a full read': tableOf(['code', 'reason'], WHY_FULL.map(cellsOf)),
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
/** The messages of a row stand in its first cell, each as code. */
const PATTERNS = PAGE.split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [
    ...(/^\| (?<cell>(?:[^|]|\\\|)*) \|/u.exec(line)?.groups?.['cell'] ?? '').matchAll(/`(?<text>[^`]+)`/gu),
  ])
  .map(({ groups }) => (groups?.['text'] ?? '').replaceAll(String.raw`\|`, '|'));
const { all, messages } = readTexts();

test('each message on the page is one of the program', () => {
  expect(PATTERNS.filter((pattern) => !all.some((text) => matches(text, pattern)))).toEqual([]);
});

/** What is nearly nothing but values says nothing that could be looked up. */
const isWorded = (text: string): boolean => text.replaceAll(/[^a-z]/giu, '').length > 12;

/** A message is on the page if a pattern has a good part of its words. */
const isFound = (message: string): boolean =>
  PATTERNS.some((pattern) => matches(message, pattern) && isWorded(pattern));

test('each error and warning of the program is on the page', () => {
  const missing = messages.filter((message) => isWorded(message) && !isFound(message));
  expect(missing).toEqual([]);
});
