import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM } from './install.ts';

/** Starts Debian's Chromium without a window. As root it runs without its sandbox, which root cannot have. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox'] });
}
