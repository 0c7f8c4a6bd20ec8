import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readResults } from '../results.ts';
import { picture } from './picture.ts';

/** Draws the rows that the bench has kept. */
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'build/bench.json' },
    to: { type: 'string', default: 'docs/bench.svg' },
  },
});
const runs = readResults(values.from).filter(({ rows }) => rows.length > 0);
if (runs.length === 0) throw new Error(`${values.from} has no rows: npm run bench`);
writeFileSync(values.to, picture(runs));
process.stdout.write(`${values.to}\n`);
