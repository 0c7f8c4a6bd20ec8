/**
 * Leaves in package.json what the image needs beside the bundle, so that `npm prune` removes everything else.
 * Usage: `node config/image.js [mssql] [oracledb]`, with the drivers to keep.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { APART, DRIVERS } from './apart.js';

const drivers = process.argv.slice(2);
const unknown = drivers.find((name) => !Object.hasOwn(DRIVERS, name));
if (unknown !== undefined) {
  console.error(
    `DRIVERS: there is no driver ${unknown}; write ${Object.keys(DRIVERS).join(' or ')}, or both with a blank between them`,
  );
  process.exit(1);
}
const {
  dependencies,
  optionalDependencies,
  devDependencies: _,
  ...about
} = JSON.parse(readFileSync('package.json', 'utf8'));
const kept = new Set([...APART, ...drivers.flatMap((name) => DRIVERS[name])]);
const all = Object.entries({ ...dependencies, ...optionalDependencies });
about.dependencies = Object.fromEntries(all.filter(([name]) => kept.has(name)));
writeFileSync('package.json', `${JSON.stringify(about, null, 2)}\n`);
