import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rollcall } from '../../src/commands/program.ts';
import { planReorganization, SALE } from '../../src/demo/hr.ts';
import { setStage, type Stage } from '../../src/demo/stage.ts';
import { startProgram, until } from '../commands/command-line.ts';
import { ROOT } from '../readme/page.ts';
import { mainFile } from '../runtime/compiled.ts';
import { openPage, startBrowser } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

const KEPT = join(ROOT, 'docs/pictures');
const COLUMNS = 100;

/** Height of a picture in pixels of the page, and how many its own pixels are of each. */
type Size = readonly [height: number, scale: number];

const ENV = { ROLLCALL_CONFIG: 'rollcall.yaml' };

/** What is typed on a terminal, and what it shows, with its colours. */
async function typed({ folder }: Stage, ...words: readonly string[]): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: COLUMNS });
  const shown = text(stdout);
  process.chdir(folder);
  const streams = { stdout: stdout as unknown as NodeJS.WriteStream, stderr: process.stderr };
  await rollcall(words, { ...streams, env: ENV });
  process.chdir(ROOT);
  stdout.end();
  return `$ rollcall ${words.join(' ')}\n${await shown}`;
}

/** A page that looks like a terminal with this text. */
const terminal = (shown: string): string =>
  `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #fff; }
    pre { display: inline-block; margin: 0; padding: 14px 18px; font: 14px/1.4 "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; color: #24292f; }
    .c1 { font-weight: bold; } .c2 { color: #57606a; } .c31 { color: #b3261e; } .c32 { color: #116329; }
    .c35 { color: #6639a6; } .c33 { color: #7d4e00; } .c36 { color: #0b5c78; } .c90 { color: #57606a; }
  </style><pre>${shown
    .trimEnd()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(SGR, (_, code: string) =>
      ['0', '22', '39'].includes(code) ? '</span>' : `<span class="c${code}">`,
    )}</pre>`;
const SGR = new RegExp(String.raw`\u001B\[(\d+)m`, 'gu');

describe.skipIf(!hasServer('chromium'))('pictures of the program', () => {
  test('are made of a plan that is held: on a terminal, as a page, and in the console', async () => {
    const folder = process.env['UPDATE'] === '1' ? KEPT : scratchFolder('pictures');
    const stage = await setStage(true);
    const browser = await startBrowser();
    onTestFinished(async () => {
      await browser.close();
      await stage.sandbox.close();
      stage.hr.close();
      removeFolder(stage.folder);
      if (folder !== KEPT) removeFolder(folder);
    });
    /** Takes a picture of a page from this element on. */
    const picture = async (name: string, url: string, from: string, [height, scale]: Size): Promise<void> => {
      const options = {
        viewport: { width: 960, height },
        colorScheme: 'light',
        deviceScaleFactor: scale,
      } as const;
      const mayAsk = (asked: string): boolean => /^(?:data|file|http:\/\/127\.0)/u.test(asked);
      const { page, trouble } = await openPage(browser, { url, mayAsk, options });
      await page
        .locator(from)
        .first()
        .evaluate((element) => element.scrollIntoView());
      await page.screenshot({ path: join(folder, `${name}.png`) });
      expect(trouble).toEqual([]);
    };
    await typed(stage, 'sync');
    stage.hr.apply([...planReorganization(stage.hr).changes, SALE]);
    const plan = await typed(stage, 'plan');
    const shown = `data:text/html;charset=utf-8,${encodeURIComponent(terminal(plan))}`;
    await picture('plan', shown, 'pre', [960, 1]);
    await typed(stage, 'plan', '--html', 'plan.html');
    await picture(
      'plan-page',
      pathToFileURL(join(stage.folder, 'plan.html')).href,
      '#changes, h2:has-text("Changes")',
      [640, 1.2],
    );
    appendFileSync(join(stage.folder, 'rollcall.yaml'), 'http: { listen: "127.0.0.1:0", console: true }\n');
    const daemon = startProgram([process.execPath, mainFile(), 'run'], { cwd: stage.folder, env: ENV });
    await until(() => daemon.out().includes('"event":"run.end"'), 'the first run of the daemon');
    const address = /"address":"(http:[^"]+)"/u.exec(daemon.out())?.[1] ?? '';
    await picture('console', `${address}/console/plan`, 'body', [800, 1.2]);
    daemon.child.kill('SIGTERM');
    await once(daemon.child, 'close');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeGreaterThan(10_000);
  });
});

test('are together no larger than 600 KB, and each is shown on a page', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const docs = pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
  const names = readdirSync(KEPT);
  expect(names.filter((name) => !docs.includes(`pictures/${name})`))).toEqual([]);
  expect(names.reduce((sum, name) => sum + statSync(join(KEPT, name)).size, 0)).toBeLessThan(600_000);
});
