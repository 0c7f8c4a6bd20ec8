import { EvaluationError } from '@marcbachmann/cel-js';
import { reordered, uuidText } from '../values/uuid.ts';
import { MAX_MATCHED, MAX_REPLACED, patternOf, patternProblem, specs } from './function-spec.ts';

/** Functions of texts and lists of texts. */
export const TEXT_FUNCTIONS = specs({
  lower: {
    usage: 'lower(text)',
    about: 'in small letters',
    example: { expr: 'lower(mail)', record: { mail: 'Ann@Example.COM' }, gives: 'ann@example.com' },
    takes: [['string']],
    gives: 'string',
    method: true,
    make: () => (text: string) => text.toLowerCase(),
  },
  upper: {
    usage: 'upper(text)',
    about: 'in capital letters',
    example: { expr: 'upper(code)', record: { code: 'hq-1' }, gives: 'HQ-1' },
    takes: [['string']],
    gives: 'string',
    method: true,
    make: () => (text: string) => text.toUpperCase(),
  },
  trim: {
    usage: 'trim(text)',
    about: 'without blanks at both ends; what a field gets is trimmed anyway',
    example: {
      expr: "split(names, ';').map(name, trim(name))",
      record: { names: 'Ann; Bob' },
      gives: ['Ann', 'Bob'],
    },
    takes: [['string']],
    gives: 'string',
    method: 'cel',
    make: () => (text: string) => text.trim(),
  },
  replace: {
    usage: 'replace(text, old, new)',
    about: 'every `old` in it replaced, letter by letter',
    example: { expr: "replace(room, '-', '/')", record: { room: 'A-1-7' }, gives: 'A/1/7' },
    takes: [['string', 'string', 'string']],
    gives: 'string',
    method: true,
    make: () => (text: string, old: string, by: string) =>
      text === '' ? '' : text.replaceAll(old, () => by),
  },
  regexReplace: {
    usage: 'regexReplace(text, pattern, new)',
    about:
      'every match of a pattern replaced, `$1` is its first group; patterns are those of RE2, of texts up to ' +
      `${MAX_REPLACED.toLocaleString('en')} characters`,
    example: {
      expr: "regexReplace(title, '^(\\\\w+), *(\\\\w+)$', '$2 $1')",
      record: { title: 'Lee, Ann' },
      gives: 'Ann Lee',
    },
    takes: [['string', 'string', 'string']],
    gives: 'string',
    method: true,
    written: { 1: patternProblem },
    make: () => replaceMatches,
  },
  matches: {
    usage: 'matches(text, pattern)',
    about: `whether a pattern of RE2 matches somewhere in it (texts up to ${MAX_MATCHED.toLocaleString('en')} characters)`,
    example: { expr: "matches(login, '^ext-')", record: { login: 'ext-ann' }, gives: 'true' },
    takes: [['string', 'string']],
    gives: 'bool',
    method: 'cel',
    written: { 1: patternProblem },
    make: () => hasMatch,
  },
  split: {
    usage: 'split(text, separator)',
    about: 'the parts between separators, as a list; `[1]` fails if there is no second part',
    example: { expr: "split(units, ';')", record: { units: 'A;B' }, gives: ['A', 'B'] },
    takes: [['string', 'string']],
    gives: 'list<string>',
    method: 'cel',
    make: () => (text: string, separator: string) => text.split(separator),
  },
  join: {
    usage: 'join(list, separator)',
    about: 'one text of all values',
    example: { expr: "join(all.l, ', ')", record: { l: ['Bonn', 'Rome'] }, gives: 'Bonn, Rome' },
    takes: [['list<string>', 'string']],
    gives: 'string',
    method: 'cel',
    make: () => joined,
  },
});

function replaceMatches(text: string, pattern: string, by: string): string {
  if (text === '') return '';
  requireShort('regexReplace', text, MAX_REPLACED);
  return patternOf(pattern).matcher(text).replaceAll(by);
}

function hasMatch(text: string, pattern: string): boolean {
  requireShort('matches', text, MAX_MATCHED);
  return patternOf(pattern).matcher(text).find();
}

function joined(list: readonly unknown[], separator: string): string {
  if (list.every((value) => typeof value === 'string')) return list.join(separator);
  throw new EvaluationError('join() takes a list of texts');
}

function requireShort(name: string, text: string, most: number): void {
  if (text.length <= most) return;
  const [is, may] = [text.length.toLocaleString('en'), most.toLocaleString('en')];
  throw new EvaluationError(`${name}() takes texts of at most ${may} characters; this one has ${is}`);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Functions of raw bytes, which columns and attributes have as base64. */
export const BYTE_FUNCTIONS = specs({
  uuid: {
    usage: 'uuid(bytes)',
    about: 'a uuid of its 16 raw bytes, such as `binary(16)`; of an empty value empty',
    example: {
      expr: 'uuid(id)',
      record: { id: '07BzhNmgTJuPDhorPE1ebw==' },
      gives: 'd3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f',
    },
    takes: [['string']],
    gives: 'string',
    method: false,
    make: () => (text: string) => uuidOf(text, false),
  },
  guid: {
    usage: 'guid(bytes)',
    about: 'the same where the bytes are in the order of Microsoft, as in `objectGUID`',
    example: {
      expr: 'guid(id)',
      record: { id: 'hHOw06DZm0yPDhorPE1ebw==' },
      gives: 'd3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f',
    },
    takes: [['string']],
    gives: 'string',
    method: false,
    make: () => (text: string) => uuidOf(text, true),
  },
});

function uuidOf(text: string, reversed: boolean): string {
  const base64 = text.trim();
  if (base64 === '') return '';
  if (UUID.test(base64)) return base64.toLowerCase();
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== base64) {
    throw new EvaluationError('uuid: the value is not 16 bytes, nor a uuid as text');
  }
  return uuidText(reversed ? reordered(bytes) : bytes);
}
