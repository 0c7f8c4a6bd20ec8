import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './page.ts';

/** Errors whose sentence an administrator reads; others are parts of such a sentence. */
const ERRORS: ReadonlySet<string> = new Set([
  'ConfigError',
  'RequestError',
  'SourceError',
  'ServiceError',
  'LedgerError',
  'FileError',
  'FullReadNeededError',
  'StoppedError',
  'AmbiguousError',
  'FieldProblem',
  'PictureProblem',
  'LookupProblem',
]);
const LEVELS: ReadonlySet<string> = new Set(['warn', 'error']);

/** Returns what the code writes, with `…` for each value. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(textOf).join('\n');
  return '…';
}

/** Returns the message of an error that is made here. */
function errorText(node: ts.NewExpression): string | undefined {
  const name = node.expression.getText();
  const [first, second] = node.arguments ?? [];
  const message = name === 'FieldProblem' ? second : first;
  return ERRORS.has(name) && message !== undefined ? textOf(message) : undefined;
}

/** Returns the message of a warning or an error that is logged here. */
function loggedText({ arguments: [level, message] }: ts.CallExpression): string | undefined {
  const isLogged = level !== undefined && ts.isStringLiteral(level) && LEVELS.has(level.text);
  return isLogged && message !== undefined ? textOf(message) : undefined;
}

/** Returns the message of an error or of a line of the log that is written here; `undefined`: none. */
function messageOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node)) return errorText(node);
  return ts.isCallExpression(node) ? loggedText(node) : undefined;
}

export interface Texts {
  /** Every text of the program. */
  readonly all: readonly string[];
  /** Those that a user can meet as an error or a warning. */
  readonly messages: readonly string[];
}

/** Reads the texts of the program, without those of the sandbox and of the demo. */
export function readTexts(): Texts {
  const [all, messages]: [string[], string[]] = [[], []];
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isBinaryExpression(node))
      all.push(textOf(node));
    const message = messageOf(node);
    if (message !== undefined) messages.push(message);
    ts.forEachChild(node, look);
  };
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /^(?!sandbox|demo).*\.ts$/u.test(name))) {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    look(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return { all, messages };
}

/** Returns whether a text has all parts of a pattern, in their order; `…` stands for anything. */
export function matches(text: string, pattern: string): boolean {
  let from = 0;
  for (const part of pattern.split('…').map((one) => one.trim())) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}
