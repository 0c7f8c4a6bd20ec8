import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { startBrowser } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { CONTRAST, type Contrast } from './contrast.ts';
import { openMedia, truth, type MediaWire } from './media-client.ts';
import { picture } from './pictures.ts';
import { jsonBody, read, type Wire } from './wire-client.ts';

const SECTIONS = ['units', 'people', 'messages', 'medias', 'schedules', 'calls'] as const;
const SCRIPT_IN_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

interface Opened {
  readonly page: Page;
  readonly trouble: readonly string[];
}

/** Plans something as an application does. */
async function schedule({ sandbox }: Wire, summary: string): Promise<void> {
  const begin = Date.UTC(2026, 10, 23, 9, 30);
  const times = { repeat_type: 'daily', full_time: false, begin_time: begin, end_time: begin + 3_600_000 };
  const about = { owner: 'ann', source: 'hr', source_id: '1', source_uid: summary };
  const body = { summary, ...times, ...about, reminder: { remind: true, remind_before_seconds: 300 } };
  const url = `${sandbox.baseUrl}/v1/apps/schedules?access_token=${sandbox.appToken}`;
  expect((await read(await fetch(url, { method: 'POST', ...jsonBody(body) }))).status).toBe(0);
}

/** A company that has something of everything. */
async function company(options: SandboxOptions = {}): Promise<MediaWire> {
  const wire = await openMedia(options);
  const research = await wire.node('Research');
  for (const name of ['Robotics', 'Optics']) await wire.people(await wire.node(name, research), `in-${name}`);
  await wire.people(research, 'ann', 'bob');
  wire.sandbox.edit.lockEmployee('bob');
  await wire.post('/v1/apps/mbox', { type: 'text', body: { content: 'Hello' }, usernames: ['ann', 'bob'] });
  await wire.file('handbook.txt', Buffer.from('To be read.'));
  await wire.image(await picture(96, 64), { file_name: 'wall.png' });
  await schedule(wire, 'Stand-up');
  return wire;
}

const style = async (page: Page, selector: string, name: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${name}']`);

async function save(page: Page, name: string): Promise<readonly [string, Buffer]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name }).click(),
  ]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

async function large(): Promise<MediaWire> {
  const wire = await openMedia();
  const { edit, rootId } = wire.sandbox;
  const above = edit.addOrganization(rootId, 'Large').id;
  for (let unit = 0; unit < 3000; unit += 1) edit.addOrganization(above, `Unit ${unit}`);
  return wire;
}

describe.skipIf(!hasServer('chromium'))('the look of the sandbox’s page', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  async function show({ sandbox }: Wire, hash: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    onTestFinished(() => context.close());
    const trouble: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', ({ message }) => trouble.push(message));
    page.on('dialog', (dialog) => {
      trouble.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(`${sandbox.baseUrl}/#${hash}`);
    return { page, trouble };
  }

  describe('medias', () => {
    test('are saved with their name and every byte', async () => {
      const wire = await openMedia();
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
      await wire.file("Übersicht (1)'s.bin", bytes);
      await wire.file('page.html', Buffer.from('<script>alert(1)</script>'));
      const { page, trouble } = await show(wire, 'medias');
      const [name, saved] = await save(page, "Übersicht (1)'s.bin");
      expect([name, saved.equals(bytes)]).toEqual(["Übersicht (1)'s.bin", true]);
      expect((await save(page, 'page.html'))[0]).toBe('page.html');
      expect(new URL(page.url()).hash).toBe('#medias');
      expect(await page.locator('#medias .rows').innerText()).toContain('70,000 bytes');
      expect(trouble).toEqual([]);
    });

    test('that are pictures are drawn small, and no other is drawn', async () => {
      const wire = await openMedia();
      await wire.image(await picture(600, 300), { file_name: 'wide.png' });
      const svg = Buffer.from(SCRIPT_IN_PICTURE);
      const sent = { bytes: svg, name: 'script.svg', type: 'image/svg+xml' };
      expect((await wire.form('/v1/medias', sent, { query: truth(svg) })).status).toBe(0);
      const { page, trouble } = await show(wire, 'medias');
      const images = page.locator('#medias img');
      await expect.poll(() => page.evaluate('document.querySelector("#medias img")?.naturalWidth')).toBe(600);
      expect(await images.count()).toBe(1);
      const box = await images.boundingBox();
      expect(box?.width).toBeLessThanOrEqual(130);
      expect(box?.height).toBeLessThanOrEqual(98);
      expect((await save(page, 'script.svg'))[1].equals(svg)).toBe(true);
      expect(await page.locator('#medias .rows').innerText()).toContain('image/svg+xml');
      expect(trouble).toEqual([]);
    });

    test('say what they are only where they are drawn', async () => {
      const { image, sandbox } = await openMedia();
      const id = await image(await picture(8, 8), { file_name: "it's.png" });
      const headers = async (more: string): Promise<readonly (string | null)[]> => {
        const response = await fetch(`${sandbox.baseUrl}/sandbox/media?id=${id}${more}`);
        await response.arrayBuffer();
        return ['content-type', 'content-disposition'].map((name) => response.headers.get(name));
      };
      expect(await headers('&shown')).toEqual(['image/png', null]);
      const saved = "attachment; filename*=UTF-8''it%27s.png";
      expect(await headers('')).toEqual(['application/octet-stream', saved]);
    });
  });

  test('schedules are shown with what was planned, hostile words as text', async () => {
    const wire = await openMedia();
    await wire.people(wire.sandbox.rootId, 'ann');
    for (const summary of ['Stand-up', '<img src=x onerror=alert(1)>']) await schedule(wire, summary);
    const { page, trouble } = await show(wire, 'schedules');
    const rows = page.locator('#schedules .rows li');
    await expect.poll(() => rows.count()).toBe(2);
    const [newest = '', first = ''] = await rows.allInnerTexts();
    expect(newest).toContain('onerror=alert(1)');
    expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s+schedule \d+\s/u);
    expect(first).toMatch(/"summary":"Stand-up"[^]*"repeat_type":"daily"/u);
    expect(await page.locator('#count-schedules').innerText()).toBe('2');
    expect(await page.locator('main img').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  describe('the tree of a large company', () => {
    test('is there page by page, and stays on the page', async () => {
      const wire = await large();
      const { page, trouble } = await show(wire, 'units');
      const lines = page.locator('#units .line');
      await page.getByRole('button', { name: 'Large' }).click();
      await expect.poll(() => lines.count()).toBe(52);
      await page.getByRole('button', { name: 'Next' }).click();
      await expect.poll(() => page.locator('#units').innerText()).toContain('Page 2 of 60');
      await wire.people(wire.sandbox.rootId, 'ann');
      await expect.poll(() => lines.first().innerText(), { timeout: 6000 }).toContain('1 person');
      expect(await lines.nth(2).innerText()).toContain('Unit 50');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Next');
      expect(trouble).toEqual([]);
    });
  });

  test('a box for answers that is off is seen to be off, and tells why', async () => {
    const on = await show(await company({ callback: { url: 'http://127.0.0.1:9/' } }), 'messages');
    const off = await show(await company(), 'messages');
    const fields = ['#answered', '#person', '#text'];
    for (const { page } of [on, off])
      await expect.poll(() => page.locator('#count-units').innerText()).toBe('4');
    for (const field of fields) {
      const [enabled, disabled] = [on.page.locator(field), off.page.locator(field)];
      expect([await enabled.isDisabled(), await disabled.isDisabled()]).toEqual([false, true]);
      for (const name of ['borderTopStyle', 'backgroundColor', 'cursor'])
        expect([name, await style(off.page, field, name)]).not.toEqual([
          name,
          await style(on.page, field, name),
        ]);
    }
    const box = off.page.getByRole('group', { name: 'Answer as a person' });
    const about = await box.getAttribute('aria-describedby');
    expect(await off.page.locator(`#${about}`).innerText()).toMatch(/^Switched off: .* --callback URL/u);
    expect(await on.page.getByText('Switched off').isVisible()).toBe(false);
  });

  describe('contrast', () => {
    test.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
      ['dark', 390],
    ] as const)('is enough in all that is shown, %s, %d px wide', async (colorScheme, width) => {
      const wire = await company();
      const options = { colorScheme, viewport: { width, height: 900 } };
      const { page, trouble } = await show(wire, 'units', options);
      await page.getByRole('button', { name: 'Research' }).click();
      for (const section of SECTIONS) {
        await page.locator(`a[href="#${section}"]`).click();
        await expect.poll(() => page.locator(`#${section} .content li`).count()).toBeGreaterThan(0);
        if (section === 'calls') {
          await page.locator('#calls summary').first().click();
          await page.locator('#calls pre').nth(1).waitFor();
        }
        const { seen, faint } = await page.evaluate<Contrast>(CONTRAST);
        expect([section, faint]).toEqual([section, []]);
        expect(seen).toBeGreaterThan(15);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        if (process.env['SHOTS'] !== undefined)
          await page.screenshot({ path: `${process.env['SHOTS']}/${section}-${colorScheme}-${width}.png` });
      }
      expect(trouble).toEqual([]);
    });
  });
});
