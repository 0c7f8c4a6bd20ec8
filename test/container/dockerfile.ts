import { readFileSync } from 'node:fs';

/** What of a Dockerfile this project uses: no ONBUILD, no here-documents, no ARG. */
export interface Instruction {
  readonly word: string;
  /** `--name=value` at the beginning. */
  readonly flags: Readonly<Record<string, string>>;
  /** Without the flags; continued lines are one. */
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export const ROOT = new URL('../..', import.meta.url).pathname;

export function readDockerfile(): readonly Stage[] {
  const lines = readFileSync(`${ROOT}Dockerfile`, 'utf8').split('\n');
  const text = lines.filter((line) => !line.startsWith('#')).join('\n');
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of text.replaceAll(/\\\n\s*/g, '').split('\n')) {
    if (line.trim() === '') continue;
    const instruction = parse(line);
    const [image = '', , name] = instruction.text.split(' ');
    if (instruction.word === 'FROM') stages.push({ image, name, instructions: [] });
    else stages.at(-1)!.instructions.push(instruction);
  }
  return stages;
}

function parse(line: string): Instruction {
  const [, word = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
  const [flagText = ''] = /^(?:--[a-z-]+=\S+ +)*/.exec(rest) ?? [];
  const flags = Object.fromEntries(
    [...flagText.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  );
  return { word, flags, text: rest.slice(flagText.length).trim() };
}

/** The texts of an instruction, in order. */
export function textsOf({ instructions }: Stage, word: string): readonly string[] {
  return instructions.filter((instruction) => instruction.word === word).map(({ text }) => text);
}

/** The one that counts. */
export function lastOf(stage: Stage, word: string): string {
  return textsOf(stage, word).at(-1) ?? '';
}

/** Throws where it is the shell form, whose process 1 would be a shell. */
export function execForm(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

export function envOf(stage: Stage): Readonly<Record<string, string>> {
  const pairs = textsOf(stage, 'ENV').flatMap((text) => text.split(/ +/));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

export interface Copy {
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function copiesOf({ instructions }: Stage): readonly Copy[] {
  return instructions
    .filter(({ word }) => word === 'COPY')
    .map(({ flags, text }) => {
      const words = text.split(/ +/);
      return { from: flags['from'], sources: words.slice(0, -1), target: words.at(-1)! };
    });
}

/**
 * Whether `.dockerignore` keeps a path out of the build: the last line that matches it, or a folder above it, says so.
 * Lines are `*`, for all, or paths.
 */
export function isIgnored(path: string): boolean {
  const lines = readFileSync(`${ROOT}.dockerignore`, 'utf8').split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const last = patterns.findLast((pattern) => {
    const named = pattern.replace(/^!/, '');
    return named === '*' || path === named || path.startsWith(`${named}/`);
  });
  return last !== undefined && !last.startsWith('!');
}
