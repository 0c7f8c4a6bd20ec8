import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../config/recipes', import.meta.url));

/** A recipe as somebody reads it who has nothing else. */
export interface Recipe {
  readonly text: string;
  /** Commands of its own steps, in their order. */
  readonly steps: readonly string[];
}

export function readRecipe(name: string): Recipe {
  const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
  const steps = Array.from(text.matchAll(/^# {3}\$ (?<command>.*)$/gmu), ({ groups }) => groups!['command']!);
  return { text, steps };
}

export type Filling = readonly [example: string, here: string];

const MARK = /# yours(?:;|$)/u;

/**
 * Fills in the marked lines, and no other one. Throws where a marked line is left as it is, and where a text that is to
 * be replaced stands in no marked line: then the recipe does not say what has to be done.
 */
export function filledIn({ text }: Recipe, fillings: readonly Filling[]): string {
  const used = new Set<string>();
  const lines = text.split('\n').map((line) => {
    if (!MARK.test(line)) return line;
    const fitting = fillings.filter(([example]) => line.includes(example));
    if (fitting.length === 0) throw new Error(`nothing is said about the marked line: ${line}`);
    for (const [example] of fitting) used.add(example);
    const [, setting = '', comment = ''] = /^(.*?)(# yours.*)$/u.exec(line) ?? [];
    return fitting.reduce((now, [example, here]) => now.replaceAll(example, () => here), setting) + comment;
  });
  const unmarked = fillings.filter(([example]) => !used.has(example));
  if (unmarked.length > 0) throw new Error(`no marked line has ${String(unmarked[0]?.[0])}`);
  return lines.join('\n');
}
