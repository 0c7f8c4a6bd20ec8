import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const ROOT = process.cwd();
/** Variable of the environment: number of the mutant that is loaded, or a file that gets which test reaches which one. */
export const VARIABLE = 'MUTANT';

/** One small fault: a condition turned, a bound moved, or a call left out. It is found again by its text. */
export interface Mutant {
  readonly file: string;
  readonly text: string;
  /** Which of the places in the file that have this text, from 0 on. */
  readonly nth: number;
  /** Text in its place; empty: a statement that is left out. */
  readonly to: string;
}

/** A mutant and where it stands in its file. */
export interface Site {
  readonly mutant: Mutant;
  readonly start: number;
  readonly end: number;
}

const TURNED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

/** Returns what stands in place of a node; `undefined`: it is left as it is. */
function faultOf(node: ts.Node): string | undefined {
  if (ts.isBinaryExpression(node)) {
    const turned = TURNED[node.operatorToken.getText()];
    return turned && `${node.left.getText()} ${turned} ${node.right.getText()}`;
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return node.operand.getText();
  if (!ts.isExpressionStatement(node)) return undefined;
  const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  const isCall = ts.isCallExpression(call) && call.expression.kind !== ts.SyntaxKind.SuperKeyword;
  return isCall ? '' : undefined;
}

/** Returns every place of a file where a mutant can stand. */
export function sitesIn(file: string): readonly Site[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const sites: Site[] = [];
  const seen = new Map<string, number>();
  const look = (node: ts.Node): void => {
    const to = faultOf(node);
    if (to !== undefined) {
      const text = node.getText();
      const nth = seen.get(text) ?? 0;
      seen.set(text, nth + 1);
      sites.push({ mutant: { file, text, nth, to }, start: node.getStart(), end: node.getEnd() });
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return sites;
}

/** The code that a company relies on: neither the stand-in of the service nor the demo. */
export const filesOfSource = (): readonly string[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!sandbox|demo|page\/browser).*\.ts$/u.test(name))
    .map((name) => join('src', name))
    .toSorted();

/** Returns the place of a mutant; its code may have moved to another file. `undefined`: it is gone. */
export function siteOf({ file, text, nth }: Mutant): Site | undefined {
  const files = filesOfSource();
  const own = files.includes(file) ? sitesIn(file).filter(({ mutant }) => mutant.text === text) : [];
  if (own.length > 0) return own[nth] ?? own[0];
  if (text.length < 20) return undefined;
  return files.flatMap((other) => sitesIn(other)).find(({ mutant }) => mutant.text === text);
}
