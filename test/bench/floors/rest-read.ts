import { Agent } from 'undici';

/** The floor of JSON over HTTP: the same pages with undici alone, each from the last record of the page before; parsed and dropped. */
const [url = '', size = ''] = process.argv.slice(2);
const agent = new Agent({ connections: 1 });
let count = 0;
for (const list of ['/units', '/people']) {
  for (let skip = 0, isOver = false; !isOver;) {
    const { body } = await agent.request({
      origin: url,
      path: `${list}?limit=${size}&skip=${skip}`,
      method: 'GET',
    });
    const { data } = JSON.parse(await body.text()) as { readonly data: readonly object[] };
    isOver = data.length < Number(size);
    skip += data.length - 1;
    count += data.length;
  }
}
await agent.close();
process.stdout.write(`${count}\n`);
