/**
 * Makes one file of the program's hundreds of compiled modules, with those that are loaded later in chunks beside it: a
 * command starts in half the time, and so does the health check of a container. Packages that are not plain JavaScript, or
 * are seldom needed, stay as they are. Usage: `node config/bundle.js DIR`, where `main.js` is in DIR; it is replaced.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { APART, DRIVERS } from './apart.js';

/** The parts of undici that the program uses. */
const undici = {
  name: 'undici',
  resolveId: (id) => (id === 'undici' ? fileURLToPath(new URL('undici.cjs', import.meta.url)) : null),
};

const [, , dir = 'dist'] = process.argv;
const build = await rolldown({
  input: join(dir, 'main.js'),
  platform: 'node',
  external: [...APART, ...Object.keys(DRIVERS)],
  plugins: [undici],
});
await build.write({
  dir,
  entryFileNames: 'main.js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  sourcemap: true,
  // Node keeps the text of what it runs: two bytes for each of its characters, if one is none of Latin-1.
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
});
await build.close();
