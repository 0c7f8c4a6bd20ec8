import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { CHROMIUM } from './install.ts';

/** Starts Debian's Chromium without a window. As root it runs without its sandbox, which root cannot have. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox'] });
}

/** A page that is open, and whatever it must not do: say an error, ask elsewhere, open a dialog. */
export interface Opened {
  readonly page: Page;
  readonly trouble: readonly string[];
}

interface Opening {
  readonly url: string;
  /** Returns whether the page may ask for an address. */
  readonly mayAsk: (url: string) => boolean;
  readonly options?: BrowserContextOptions | undefined;
}

/** Opens a page until the test ends. */
export async function openPage(browser: Browser, { url, mayAsk, options = {} }: Opening): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const trouble: string[] = [];
  await context.route('**', async (route) => {
    if (mayAsk(route.request().url())) return route.continue();
    trouble.push(`asks for ${route.request().url()}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => trouble.push(`says ${message.text()}`));
  page.on('pageerror', (error) => trouble.push(`throws ${error.message}`));
  page.on('dialog', (dialog) => {
    trouble.push(`shows ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, trouble };
}

/** Finds texts whose contrast is below 4.5 : 1 (WCAG 2.2, 1.4.3), for those who see less. */
export const FAINT = `{
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((n) => (n / 255 <= 0.04045 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return numbers(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
  };
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && element.checkVisibility());
  texts.flatMap((element) => {
    const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    return contrast >= 4.5 ? [] : [element.className + ' ' + element.textContent.slice(0, 30) + ' ' + contrast];
  });
}`;
