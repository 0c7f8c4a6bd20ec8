import { Client } from 'pg';

/** The floor of PostgreSQL: the same rows by a cursor, 1,000 at a time, counted and dropped. */
const [url = '', ...queries] = process.argv.slice(2);
const client = new Client({ connectionString: url });
await client.connect();
await client.query('BEGIN READ ONLY');
let count = 0;
for (const query of queries) {
  await client.query(`DECLARE bare NO SCROLL CURSOR FOR ${query}`);
  for (let more = true; more;) {
    const { rows } = await client.query({ text: 'FETCH 1000 FROM bare', rowMode: 'array' });
    count += rows.length;
    more = rows.length > 0;
  }
  await client.query('CLOSE bare');
}
await client.end();
process.stdout.write(`${count}\n`);
