import { defineConfig } from 'vitest/config';

/** Tests of runs and plans share nothing but what they import: a worker loads `src/` once for all of them. */
const SHARING = ['test/{sync,plan}/**/*.test.ts'];
const OTHERS = ['test/*.test.ts', 'test/!(sync|plan)/**/*.test.ts'];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/servers/global-setup.ts'],
    // Tests of the program start it many times, on machines that others use too.
    testTimeout: 150_000,
    hookTimeout: 300_000,
    // One more than cores are usual: a third of the time is waiting, for servers and processes.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'runs', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'rooms', include: OTHERS } },
    ],
  },
});
