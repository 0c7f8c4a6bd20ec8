import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import {
  createCompilerHost,
  createProgram,
  getPreEmitDiagnostics,
  parseJsonConfigFileContent,
  readConfigFile,
  sys,
} from 'typescript';

const ROOT = new URL('../..', import.meta.url).pathname;
const CHANGES = join(ROOT, 'src/domain/changes.ts');

/** Files of `src` that do not compile with this text in the place of `domain/changes.ts`. */
function brokenBy(change: (text: string) => string): readonly string[] {
  const { config } = readConfigFile(join(ROOT, 'tsconfig.json'), (path) => sys.readFile(path));
  const { options, fileNames } = parseJsonConfigFileContent(config, sys, ROOT);
  const host = createCompilerHost(options);
  const text = change(readFileSync(CHANGES, 'utf8'));
  const read = host.readFile.bind(host);
  host.readFile = (file) => (file === CHANGES ? text : read(file));
  const rootNames = fileNames.filter((file) => file.startsWith(join(ROOT, 'src')));
  const program = createProgram({ rootNames, options: { ...options, noEmit: true }, host });
  const files = getPreEmitDiagnostics(program).map(({ file }) => relative(ROOT, file?.fileName ?? ''));
  return [...new Set(files)].toSorted();
}

test.each([
  ['unit', "'remove', 'adopt'] as const;", "'remove', 'adopt', 'split'] as const;"],
  ['person', "'enable', 'remove'] as const;", "'enable', 'remove', 'merge'] as const;"],
])('a new kind of change of a %s is asked for wherever one has to be known', (subject, from, to) => {
  const broken = brokenBy((text) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  });
  expect(broken).toContain('src/plan/changes/kinds.ts');
  expect(broken).toContain('src/sync/calls/steps.ts');
  expect(broken.length, `${subject}: ${broken.join(', ')}`).toBeLessThanOrEqual(4);
});
