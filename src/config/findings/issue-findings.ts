import type { z } from 'zod';
import { kindOf } from './problem.ts';
import { rawAt, type Finding, type Path } from '../../schema/raw.ts';
import { REMEDY } from '../../schema/values.ts';
import { suggest } from '../../lib/suggest.ts';

type Issue = z.core.$ZodIssue;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

/**
 * Returns what the schema found, in an administrator's words. Values are shown only for keys with a closed
 * list of values.
 */
export function issueFindings(issue: Issue, raw: unknown): readonly Finding[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path);
  if (rawAt(raw, path) === undefined) return [missing(issue, path)];
  return [{ problem: 'config-value', path, ...sentenceOf(issue, rawAt(raw, path)) }];
}

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, path: Path): readonly Finding[] {
  const sentences = issue.message.split('\n');
  return issue.keys.map((key, index) => ({
    ...split(sentences[index] ?? ''),
    problem: 'config-unknown-key',
    path: [...path, key],
  }));
}

function missing(issue: Issue, path: Path): Finding {
  return { problem: 'config-missing', path, wrong: 'is missing', remedy: split(issue.message).remedy };
}

type Sentence = Omit<Finding, 'path'>;

function sentenceOf(issue: Issue, value: unknown): Sentence {
  if (issue.code === 'invalid_type') return wrongType(issue, value);
  if (issue.code === 'invalid_value') return wrongChoice(issue, value);
  if (issue.code === 'too_small') return outOfRange(issue, `below ${issue.minimum}`, value);
  if (issue.code === 'too_big') return outOfRange(issue, `above ${issue.maximum}`, value);
  return split(issue.message);
}

function wrongType(issue: z.core.$ZodIssueInvalidType, value: unknown): Sentence {
  const expected = EXPECTED[issue.expected] ?? issue.expected;
  // A number in place of text may be a password of digits.
  const actual = typeof value === 'number' && expected !== 'text' ? value : kindOf(value);
  const wrong = `expected ${expected}, found ${actual}`;
  return { problem: 'config-type', wrong, remedy: typeRemedy(expected, value) };
}

function typeRemedy(expected: string, value: unknown): string {
  if (value === null) return 'give it a value, or remove the key';
  if (expected === 'text' && typeof value !== 'object') return 'put it in quotes';
  return `write ${expected}`;
}

function wrongChoice(issue: z.core.$ZodIssueInvalidValue, value: unknown): Sentence {
  const choices = issue.values.map(String);
  const remedy = `use ${choices.join(' or ')}`;
  if (typeof value !== 'string') return { wrong: `expected text, found ${kindOf(value)}`, remedy };
  const suggestion = suggest(value, choices);
  const wrong = `"${value}" is not one of ${choices.join(', ')}`;
  return { wrong, remedy: suggestion === undefined ? remedy : `did you mean ${suggestion}?` };
}

function outOfRange(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  bound: string,
  value: unknown,
): Sentence {
  if (issue.origin === 'array') return { wrong: 'is an empty list', remedy: 'give it at least one entry' };
  if (issue.origin === 'string') return split(issue.message);
  const open = issue.inclusive === false ? ' or equal to it' : '';
  return { wrong: `${String(value)} is ${bound}${open}`, remedy: 'choose another number' };
}

/** Splits a message into problem and remedy: our own messages hold both; others get a general remedy. */
function split(message: string): Sentence {
  const [wrong = '', ...rest] = message.split(REMEDY);
  return { wrong, remedy: rest.length === 0 ? 'add it, as in the example files' : rest.join(REMEDY) };
}
