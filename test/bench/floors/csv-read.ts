import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** The floor of CSV: the same rows by csv-parse, counted and dropped. */
let count = 0;
for (const file of process.argv.slice(2)) {
  const rows = createReadStream(file).pipe(parse({ from_line: 2 }));
  for await (const row of rows) count += Array.isArray(row) ? 1 : 0;
}
process.stdout.write(`${count}\n`);
