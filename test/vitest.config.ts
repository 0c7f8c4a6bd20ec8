import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/servers/global-setup.ts'],
    // Tests of the program start it many times, on machines that others use too.
    testTimeout: 150_000,
    hookTimeout: 300_000,
    // One more than cores are usual: a third of the time is waiting, for servers and processes.
    maxWorkers: 3,
  },
});
