import { Client } from 'ldapts';

/** The floor of directories: the same entries with ldapts alone, page by page, counted and dropped. */
const [url = '', bindDn = '', password = '', base = '', filter = '', ...attributes] = process.argv.slice(2);
const client = new Client({ url });
await client.bind(bindDn, password);
let entries = 0;
const options = { filter, attributes, paged: { pageSize: 500 }, timeLimit: 0 };
for await (const page of client.searchPaginated(base, options)) entries += page.searchEntries.length;
await client.unbind();
process.stdout.write(`${entries}\n`);
