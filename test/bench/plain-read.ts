import { Client } from 'ldapts';
import { ATTRIBUTES, BASE } from './company.ts';

/** The floor: the same entries with ldapts alone, page by page, counted and dropped. */
const [url = '', bindDn = '', password = ''] = process.argv.slice(2);
const client = new Client({ url });
await client.bind(bindDn, password);
let entries = 0;
const options = {
  filter: '(objectClass=inetOrgPerson)',
  attributes: ATTRIBUTES,
  paged: { pageSize: 500 },
  timeLimit: 0,
};
for await (const page of client.searchPaginated(BASE, options)) entries += page.searchEntries.length;
await client.unbind();
process.stdout.write(`${entries}\n`);
