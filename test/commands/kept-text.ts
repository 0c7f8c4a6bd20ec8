import { inflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';

/** Everything that the file with the last complete read holds, as text: on the disk it is compressed. */
export function keptText(file: string): string {
  const db = new Database(file, { readonly: true });
  const pages = db.prepare('select data from page order by id').all() as { readonly data: Buffer }[];
  db.close();
  return pages.map(({ data }) => inflateRawSync(data).toString('utf8')).join('\n');
}
