import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, startBrowser, type Opened } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { developer } from './developer.ts';
import { open as openWire, person, type Wire } from './wire-client.ts';

const HOSTILE = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'ab\u202Ecba'];

async function push({ post }: Wire, content: string, ...usernames: readonly string[]): Promise<void> {
  expect((await post('/v1/apps/mbox', { type: 'text', body: { content }, usernames })).status).toBe(0);
}

describe.skipIf(!hasServer('chromium'))('the sandbox’s page in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  async function show({ sandbox }: Wire, hash = '', options: BrowserContextOptions = {}): Promise<Opened> {
    const mayAsk = (asked: string): boolean => new URL(asked).origin === sandbox.baseUrl;
    return openPage(browser, { url: `${sandbox.baseUrl}/${hash}`, mayAsk, options });
  }

  test('shows the tree, which stays folded as it is while it refreshes itself', async () => {
    const wire = await openWire();
    const below = await wire.node('Research');
    await wire.people(await wire.node('Robotics', below), 'ann', 'bob');
    const { page, trouble } = await show(wire);
    const lines = page.locator('#units .line');
    await expect.poll(() => lines.allInnerTexts()).toEqual(['Root\n2 people', 'Research\n2 people']);
    await page.getByRole('button', { name: 'Research' }).press('Enter');
    await expect.poll(() => lines.count()).toBe(3);
    await wire.people(below, 'eve');
    await expect.poll(() => lines.allInnerTexts(), { timeout: 6000 }).toContain('Research\n3 people');
    expect(await lines.count()).toBe(3);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Research');
    expect(trouble).toEqual([]);
  });

  test('finds people, and shows who is locked', async () => {
    const wire = await openWire();
    await wire.people(wire.sandbox.rootId, 'ann', 'bob');
    wire.sandbox.edit.lockEmployee('bob');
    const { page, trouble } = await show(wire, '#people');
    await page.getByRole('searchbox', { name: 'Search by name, username or id' }).fill('BOB');
    const rows = page.locator('#people .rows li');
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(1);
    expect(await rows.innerText()).toMatch(/Name of bob\s+bob\s+locked/u);
    expect(trouble).toEqual([]);
  });

  test('draws hostile names as text, with turning marks to be seen', async () => {
    const wire = await openWire();
    const people = HOSTILE.map((name, index) => person(`user${index}`, wire.sandbox.rootId, { name }));
    await wire.post(`${wire.org}/import-employees`, people);
    for (const name of HOSTILE) await push(wire, name, 'user0');
    for (const name of HOSTILE.slice(1)) await wire.node(name.replaceAll('/', ''));
    const { page, trouble } = await show(wire, '#people');
    await expect.poll(() => page.locator('#people strong').count()).toBe(3);
    const names = await page.locator('#people strong').allInnerTexts();
    expect(names.toSorted()).toEqual([HOSTILE[1], HOSTILE[0], String.raw`ab\u202ecba`]);
    for (const section of ['messages', 'units', 'calls']) {
      await page.locator(`a[href="#${section}"]`).click();
      await expect.poll(() => page.locator(`#${section} .content li`).count()).toBeGreaterThan(2);
    }
    await page.locator('#calls summary').last().click();
    await expect.poll(() => page.locator('#calls pre').first().innerText()).toContain('onerror');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain('\u202E');
    expect(trouble).toEqual([]);
  });

  test('a person answers a message; what is typed outlives a refresh', async () => {
    const { came, url } = await developer();
    const wire = await openWire({ callback: { url, mode: 'plain' } });
    await wire.people(wire.sandbox.rootId, 'ann', 'bob');
    await push(wire, 'approve 1a2b3c?', 'bob', 'ann');
    await expect.poll(() => came.length).toBe(1);
    const { page, trouble } = await show(wire, '#messages');
    await expect.poll(() => page.locator('#answered option').count()).toBe(2);
    await page.getByLabel('Message', { exact: true }).selectOption({ index: 1 });
    expect(await page.getByLabel('Username', { exact: true }).inputValue()).toBe('bob');
    await page.getByLabel('Text', { exact: true }).fill('approve 1a2b3c…');
    await push(wire, 'one more', 'ann');
    await expect.poll(() => page.locator('#answered option').count(), { timeout: 6000 }).toBe(3);
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('approve 1a2b3c…');
    await page.getByRole('button', { name: 'Send' }).press('Enter');
    await expect.poll(() => page.locator('#outcome').innerText()).toContain('"message":"ok"');
    expect(came.at(-1)?.body).toContain('approve 1a2b3c…');
    expect(came.at(-1)?.body).toContain('bob');
    expect(trouble).toEqual([]);
  });

  test('a call stays unfolded while others come', async () => {
    const wire = await openWire();
    await wire.get(`${wire.org}/view`);
    const { page, trouble } = await show(wire, '#calls');
    await page.locator('#calls summary').click();
    await expect.poll(() => page.locator('#calls pre').count()).toBe(2);
    await wire.get(`${wire.org}/view`);
    await expect.poll(() => page.locator('#calls summary').count(), { timeout: 6000 }).toBe(2);
    expect(await page.locator('#calls pre').count()).toBe(2);
    expect(trouble).toEqual([]);
  });
});
