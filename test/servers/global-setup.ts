import { ensureServers } from './install.ts';

/** vitest's globalSetup: two workers must not run apt-get at once. */
export function setup(): void {
  ensureServers();
}
