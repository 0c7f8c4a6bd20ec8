import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matches, readTexts } from './messages.ts';
import { ROOT } from './page.ts';

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
