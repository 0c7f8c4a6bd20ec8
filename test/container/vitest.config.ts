import { defineConfig } from 'vitest/config';

/** `npm run container`: the image, built and run by a real engine. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/container/*.test.ts'],
    globalSetup: ['test/container/setup.ts'],
    testTimeout: 150_000,
    hookTimeout: 150_000,
    maxWorkers: 2,
    disableConsoleIntercept: true,
  },
});
