import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { createProgram, getParsedCommandLineOfConfigFile, sys, type ParseConfigFileHost } from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { assets, type Assets } from '../../src/page/assets.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

const host: ParseConfigFileHost = { ...sys, onUnRecoverableConfigFileDiagnostic: () => undefined };

/** The page's own parts after what `npm run build` does to them. */
async function built(): Promise<Assets> {
  const folder = scratchFolder('built');
  onTestFinished(() => removeFolder(folder));
  const config = getParsedCommandLineOfConfigFile('config/tsconfig.build.json', undefined, host);
  const files = config!.fileNames.filter((name) => /\/src\/page\/(?:browser\/|assets)/u.test(name));
  createProgram(files, { ...config!.options, outDir: folder }).emit();
  const { assets: load } = (await import(pathToFileURL(join(folder, 'page/assets.js')).href)) as {
    readonly assets: () => Assets;
  };
  return load();
}

test('what is built has the browser’s script, without imports', async () => {
  const { script, style, policy } = await built();
  expect(style).toBe(assets().style);
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-/u);
  expect(script.split('class PlanPage')).toHaveLength(2);
  for (const one of [script, assets().script]) {
    expect(one).not.toMatch(/^\s*(?:import|export|\/\*|\/\/)/mu);
    expect(one).not.toMatch(/<\/|<!--|sourceMappingURL/u);
    expect(() => new Script(one)).not.toThrow();
  }
});
