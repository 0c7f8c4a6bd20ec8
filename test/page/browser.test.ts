import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAINT, openPage, startBrowser, type Opened } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { EVIL, HELD, manyChanges, MIXED, pageOf, type Company } from './companies.ts';

/** What stands in the list, one line for each unit and person. */
const linesOf = async (page: Page): Promise<readonly string[]> => {
  const lines = await page.locator('.list .line').allInnerTexts();
  return lines.map((line) => line.replaceAll(/\s+/gu, ' ').trim());
};
const rows = async (page: Page): Promise<number> => page.locator('.list .line').count();
const status = async (page: Page): Promise<string> => page.getByRole('status').innerText();
/** How many changes are listed or match, by the status. */
const counted = async (page: Page): Promise<number> => Number(/\d+/u.exec(await status(page))?.[0]);
const search = async (page: Page, text: string): Promise<void> =>
  page.getByRole('searchbox', { name: 'Search by name, username, id or unit' }).fill(text);

describe.skipIf(!hasServer('chromium'))('the page in a browser', () => {
  let browser: Browser;
  let folder: string;
  let pages = 0;

  beforeAll(async () => {
    browser = await startBrowser();
    folder = scratchFolder('page');
  });
  afterAll(async () => {
    await browser.close();
    removeFolder(folder);
  });

  async function openHtml(html: string, options?: BrowserContextOptions): Promise<Opened> {
    pages += 1;
    const file = join(folder, `${pages}.html`);
    writeFileSync(file, html);
    const url = pathToFileURL(file).href;
    return openPage(browser, { url, mayAsk: (asked) => asked === url, options });
  }

  const open = async (company: Company, options?: BrowserContextOptions): Promise<Opened> =>
    openHtml(pageOf(company), options);

  test('lists the changes by unit, without an error or a request', async () => {
    const { page, trouble } = await open(MIXED);
    const places = await page.locator('.list h3').allInnerTexts();
    expect(places).toHaveLength(12);
    expect(places.find((place) => place.endsWith(' › Backend'))?.split(' › ')).toHaveLength(3);
    const backend = page.locator('h3', { hasText: 'Backend' }).locator('xpath=following-sibling::ul[1]/li');
    const lines = (await backend.locator('.line').allInnerTexts()).map((line) =>
      line.replaceAll(/\s+/gu, ' '),
    );
    expect(lines).toEqual([
      '> Backend (D131) move moved in the source',
      '~ Ibrahim Çelik ibrahim.çelik (E4) update follows the move of Backend',
    ]);
    expect(trouble).toEqual([]);
  });

  test('shows old and new of a person by field, and what a new account is made with when unfolded', async () => {
    const { page } = await open(MIXED);
    await search(page, 'E4');
    expect(await page.locator('.fields li').allInnerTexts()).toEqual([
      'positions: Embedded Software job_title=Engineer primary → Backend job_title=Lead primary',
      'mobile: none → +49 170 5550199',
      'label: remote → none',
    ]);
    await search(page, 'Nora');
    const fields = page.locator('.fields');
    expect(await fields.isVisible()).toBe(false);
    await page.getByLabel('Nora Lindqvist, create, Robotics').click();
    expect(await fields.innerText()).toBe('email: E1@example.com\npositions: Robotics 机器人 primary');
  });

  test('shows what a guard holds, and copies the command that releases it', async () => {
    const { page, trouble } = await open(MIXED, { permissions: ['clipboard-read', 'clipboard-write'] });
    await search(page, 'Nora');
    await page.getByRole('button', { name: '2 create' }).click();
    await page.getByRole('button', { name: 'Show these 12' }).click();
    const pressed = page.getByRole('button', { pressed: true });
    expect([await status(page), await pressed.allInnerTexts()]).toEqual([
      '12 changes match.',
      ['Leavers: 12'],
    ]);
    await pressed.click();
    expect(await counted(page)).toBe(26);
    await page.getByRole('button', { name: 'Copy the command for Leavers' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect([copied, trouble]).toEqual([`rollcall sync --approve ${HELD.hash}`, []]);
  });

  test.each([
    ['a name, without case and accents', 'celik', '1 change matches for “celik”.', 'Ibrahim Çelik'],
    ['a username', 'gone.gustav', '1 change matches for “gone.gustav”.', 'Gone Gustav'],
    ['an id', 'e777', '1 change matches for “e777”.', 'Mia Wolf'],
    ['an id as it was before', 'E776', '1 change matches for “E776”.', 'Mia Wolf'],
    ['a unit, whose people come along', 'backend', '2 changes match for “backend”.', 'Backend'],
    ['several words in any order', 'wolf mia', '1 change matches for “wolf mia”.', 'Mia Wolf'],
    ['nobody', 'zzz', '0 changes match for “zzz”.', null],
  ])('finds %s', async (_, text, says, found) => {
    const { page, trouble } = await open(MIXED);
    await search(page, text);
    expect(await status(page)).toBe(says);
    const lines = await linesOf(page);
    expect(lines.some((line) => found !== null && line.includes(found))).toBe(found !== null);
    await search(page, '');
    expect(await status(page)).toBe('All 26 changes are listed.');
    expect(trouble).toEqual([]);
  });

  test('filters by kind, several together, and by what is held; a filter pressed again is off', async () => {
    const { page } = await open(MIXED);
    const press = async (name: string): Promise<string> => {
      await page.getByRole('button', { name, exact: true }).click();
      return status(page);
    };
    expect(await press('1 enable')).toBe('1 change matches.');
    expect(await press('1 move')).toBe('2 changes match.');
    expect(await page.getByRole('button', { pressed: true }).count()).toBe(2);
    await press('1 enable');
    expect(await linesOf(page)).toEqual(['> Backend (D131) move moved in the source']);
    await press('1 move');
    expect(await counted(page)).toBe(26);
    expect(await press('13 held')).toBe('13 changes match.');
    await search(page, 'mia');
    expect(await counted(page)).toBe(1);
    await search(page, 'Nora');
    expect(await counted(page)).toBe(0);
  });

  test('can be used all by Tab: what has the focus shows it, and every control has a name', async () => {
    const { page } = await open(MIXED);
    const controls = await page.locator('button:visible, input:visible, summary:visible').count();
    const seen: string[] = [];
    for (let n = 0; n < controls; n += 1) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
      seen.push(outline);
    }
    expect(new Set(seen)).toEqual(new Set(['solid']));
    for (const control of await page.getByRole('button').all())
      expect((await control.innerText()).trim()).not.toBe('');
    for (const role of ['banner', 'main', 'search', 'status'] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 1]);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Plan c41a77e02f19');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  test('leaves hostile names what they are: text', async () => {
    const { page, trouble } = await open(EVIL);
    await search(page, '<script>');
    expect(await page.locator('.list').innerText()).toContain(
      String.raw`</script><script>alert(1)</script>\u202eevil`,
    );
    expect(await page.locator('.list').innerText()).toContain(
      String.raw`"><img src=x onerror=alert(2)>\u2028<!--\x00<b>`,
    );
    expect(await page.locator('img, b, script').count()).toBe(2);
    const names = page.locator('.list bdi, .names bdi');
    expect(await names.count()).toBeGreaterThan(5);
    expect(trouble).toEqual([]);
  });

  test('runs no script but its own, even where one came into it', async () => {
    const html = pageOf(MIXED).replace(
      '</main>',
      '<script>alert(3)</script><img src="x" onerror="alert(4)"></main>',
    );
    const { trouble } = await openHtml(html);
    expect(trouble.filter((text) => text.startsWith('shows'))).toEqual([]);
    expect(trouble.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThan(1);
  });

  test('of 10,000 changes it draws a few hundred rows at a time, and finds among all of them', async () => {
    const html = pageOf(manyChanges(10_000));
    const begun = performance.now();
    const { page, trouble } = await openHtml(html);
    const opened = performance.now() - begun;
    const all = await page.locator('.list *').count();
    expect([await rows(page), all < 12_000]).toEqual([200, true]);
    const typed = performance.now();
    await search(page, 'E109999');
    expect(await status(page)).toContain('1 change matches');
    const searched = performance.now() - typed;
    await search(page, '');
    expect(await page.getByText('Rows 1–200 of 10,000').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Next ›' }).click();
    expect(await page.getByText('Rows 201–400 of 10,000').isVisible()).toBe(true);
    console.log(
      `10,000 changes: ${(html.length / 1e6).toFixed(1)} MB, open ${opened.toFixed(0)} ms, search ${searched.toFixed(0)} ms`,
    );
    expect(trouble).toEqual([]);
  });

  test('fits a phone: nothing is wider than the screen', async () => {
    for (const company of [MIXED, EVIL]) {
      const { page } = await open(company, { viewport: { width: 390, height: 800 } });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
  });

  test.each([
    ['light', 'rgb(251, 250, 248)'],
    ['dark', 'rgb(20, 23, 27)'],
  ] as const)(
    'follows the choice of %s, and every text stands out from what is behind it',
    async (colorScheme, back) => {
      const { page } = await open(MIXED, { colorScheme, reducedMotion: 'reduce' });
      await page.getByRole('button', { name: '13 held' }).click();
      expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(back);
      expect(await page.evaluate<readonly string[]>(FAINT)).toEqual([]);
    },
  );
});
