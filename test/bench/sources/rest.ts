import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { scriptOf, TABLE_FIELDS, type OpenBenchSource } from './bench-source.ts';

const PAGE = 200;

/** A server of JSON over HTTP, in a process of its own: two lists, by offset and with a total. */
export const openRest: OpenBenchSource = async (company) => {
  const child = spawn(process.execPath, [scriptOf('sources/rest-process'), String(company.people)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const [first] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = first.trim();
  const tell = async (path: string): Promise<void> => {
    const { ok, status } = await fetch(`${url}${path}`, { method: 'POST' });
    if (!ok) throw new Error(`the server of lists answers ${status}`);
  };
  const list = (get: string) => ({ get, items: '/data' });
  return {
    name: 'rest',
    config: {
      type: 'rest',
      url,
      pages: { offset: 'skip', size: { limit: PAGE }, total: '/total' },
      units: { ...list('/units'), fields: TABLE_FIELDS.units },
      people: { ...list('/people'), fields: TABLE_FIELDS.people },
    },
    floors: [
      { name: 'bare driver', command: 'node', args: [scriptOf('floors/rest-read'), url, String(PAGE)] },
    ],
    change: (from, to) => tell(`/change?from=${from}&to=${to}`),
    move: () => tell('/move'),
    async stop() {
      process.off('exit', killAtExit);
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};
