import { defineConfig } from 'vitest/config';

/** The longest files come first, whatever their size: vitest sorts projects by name, and the files of each by size. */
const FIRST = ['test/chaos/*.test.ts', 'test/scenarios/{crash,second-daemon,stopped,recipes/*}.test.ts'];
const ROOMS = [
  'test/*.test.ts',
  'test/!(chaos|commands|plan|scenarios|sync)/**/*.test.ts',
  'test/scenarios/!(crash|second-daemon|stopped).test.ts',
];
/** Tests that share nothing but what they import: a worker loads `src/` once for all of them. */
const RUNS = ['test/{plan,sync}/**/*.test.ts'];
const VERBS = ['test/commands/**/*.test.ts'];

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
      { extends: true, test: { name: 'first', include: FIRST } },
      { extends: true, test: { name: 'rooms', include: ROOMS } },
      { extends: true, test: { name: 'runs', include: RUNS, isolate: false } },
      { extends: true, test: { name: 'verbs', include: VERBS, isolate: false } },
    ],
  },
});
