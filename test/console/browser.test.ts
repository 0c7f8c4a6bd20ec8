import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAINT, openPage, startBrowser, type Opened } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { FAMILY, LONG, openConsole, SCRIPT } from './console-stage.ts';

const TOKEN = 'a-token-of-the-console';
const PATHS = [
  '',
  '/records?list=leavers',
  '/runs',
  '/plan',
  '/explain?name=user.4',
  `/explain?name=${encodeURIComponent(SCRIPT)}`,
  '/history',
  '/history?since=no',
];

describe.skipIf(!hasServer('chromium'))('the console in a browser', { timeout: 180_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => browser.close());

  test('leaves hostile names what they are, and fits a phone in light and dark', async () => {
    const { address } = await openConsole();
    for (const colorScheme of ['light', 'dark'] as const) {
      const options = {
        viewport: { width: 360, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
      } as const;
      const url = `${address}/console`;
      const { page, trouble } = await openPage(browser, {
        url,
        mayAsk: (asked) => asked.startsWith(url),
        options,
      });
      for (const path of PATHS) {
        await page.goto(url + path);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        const faint = await page.evaluate<readonly string[]>(FAINT);
        expect([path, width, faint]).toEqual([path, 360, []]);
        expect(await page.locator('img, main script, b').count()).toBe(0);
        expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(1);
      }
      await page.goto(`${url}/records?list=leavers`);
      const names = (await page.locator('.records a').allInnerTexts()).join('\n');
      for (const text of [
        SCRIPT,
        `"><img src=x onerror=alert(2)>'`,
        String.raw`l\u202eiam \u2066evil`,
        FAMILY,
      ])
        expect(names).toContain(`(${text})`);
      expect(names).toContain(LONG.slice(0, 190));
      // A wrong time is answered by 400, which Chromium notes.
      expect(trouble.filter((one) => !one.includes('400 (Bad Request)'))).toEqual([]);
    }
  });

  test('opens by its token, and finds a person, all by the keyboard', async () => {
    const { address } = await openConsole(`{ listen: 0.0.0.0:0, console: { token: ${TOKEN} } }`);
    const url = address.replace('0.0.0.0', '127.0.0.1');
    const { page, trouble }: Opened = await openPage(browser, {
      url: `${url}/console`,
      mayAsk: (asked) => asked.startsWith(`${url}/console`),
    });
    const { keyboard } = page;
    const type = async (text: string): Promise<void> => {
      await keyboard.type(text);
      await Promise.all([page.waitForEvent('load'), keyboard.press('Enter')]);
    };
    const heading = async (): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
    await type('wrong');
    expect(await page.getByRole('alert').innerText()).not.toBe('');
    await type(TOKEN);
    expect([await heading(), new URL(page.url()).pathname]).toEqual(['Status', '/console']);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console' });
    for (let n = 0; n < 4; n += 1) await keyboard.press('Tab');
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await type('');
    expect(await heading()).toBe('Explain');
    for (let n = 0; n < 6; n += 1) await keyboard.press('Tab');
    await type('Person 39');
    expect(await page.getByRole('heading', { level: 2 }).innerText()).toMatch(/^user\.39 \(Person 39\), /u);
    expect(await page.locator('main').innerText()).not.toMatch(/@example|5550199/u);
    await page.getByRole('link', { name: 'its history' }).press('Enter');
    await page.waitForURL(/history/u);
    expect(await page.getByRole('link', { name: 'create person user.39 (h39)' }).count()).toBe(1);
    await page.goto(`${url}/console/plan`);
    await page.getByRole('searchbox').fill('user.1');
    expect(await page.getByRole('status').innerText()).toContain('“user.1”');
    expect(trouble.filter((one) => !/401 \(Unauthorized\)|\[DOM\]/u.test(one))).toEqual([]);
  });
});
