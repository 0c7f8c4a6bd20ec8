import { createConnection } from 'mysql2';

/** The floor of MariaDB: the same rows as a stream of mysql2, counted and dropped. */
const [url = '', ...queries] = process.argv.slice(2);
const connection = createConnection({ uri: url.replace(/^mariadb:/u, 'mysql:'), rowsAsArray: true });
let count = 0;
for (const query of queries) {
  for await (const row of connection.query(query).stream()) count += Array.isArray(row) ? 1 : 0;
}
connection.end();
process.stdout.write(`${count}\n`);
