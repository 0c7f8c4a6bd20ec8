import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { companyOf } from './company.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { openCsv } from './sources/csv.ts';
import { ROLLCALL, TOKEN } from './workplace.ts';

/**
 * Measures each view of the console. By hand, after `npm run bench:build`:
 * `node build/test/bench/console-views.js --folder build/console --people 100000`. A folder that is there is used again;
 * with `--stay` the daemon goes on, so that one can look.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'build/console' },
    people: { type: 'string', default: '100000' },
    stay: { type: 'boolean', default: false },
  },
});
const folder = join(process.cwd(), values.folder);
const config = join(folder, 'rollcall.json');
const ROUNDS = 5;

/** Makes a company with half of its first load's people gone, so that there are a held plan and long lists. */
async function make(baseUrl: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const source = await openCsv(companyOf(Number(values.people)), folder);
  const limits = { requestsPerSecond: 10_000, concurrency: 4 };
  const settings = {
    service: { baseUrl, domainId: 'sandbox', orgCode: 'sandbox', token: TOKEN, limits },
    source: source.config,
    state: { path: join(folder, 'rollcall.db') },
    sync: { timezone: 'Asia/Shanghai', leavers: { misses: 1 } },
    http: { listen: '127.0.0.1:0', console: true },
  };
  writeFileSync(config, JSON.stringify(settings));
  await rollcall('sync');
  await source.change(1, 3_000);
  await rollcall('sync');
  const file = join(folder, 'people.csv');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.filter((_, n) => n === 0 || n % 10 !== 0).join('\n'));
  writeFileSync(join(folder, 'done'), '');
  await rollcall('sync');
  await source.stop();
}

async function rollcall(verb: string): Promise<void> {
  const child = spawn(process.execPath, [ROLLCALL, '--config', config, verb], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
}

const VIEWS = [
  '',
  '/records?list=leavers',
  '/records?list=unmanaged',
  '/runs',
  '/plan',
  '/explain',
  '/explain?name=p777',
  '/explain?name=an',
  '/explain?name=zzzz',
  '/explain?name=%E6%95%8F',
  '/history',
  '/history?of=person&name=p777',
];

async function measure(address: string): Promise<void> {
  const runs = await (await fetch(`${address}/console/runs`)).text();
  const ids = [...new Set([...runs.matchAll(/run\?id=([\w-]+)/gu)].map(([, id]) => `/run?id=${id ?? ''}`))];
  for (const view of [...VIEWS, ...ids]) {
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      const answer = await fetch(`${address}/console${view}`);
      bytes = (await answer.text()).length;
      times.push(performance.now() - began);
    }
    const [best = 0] = times.toSorted((a, b) => a - b);
    const figures = [Math.max(...times), best].map((ms) => ms.toFixed(0).padStart(5)).join(' ms, best ');
    process.stdout.write(`${figures} ms ${String(bytes).padStart(9)} bytes  /console${view}\n`);
  }
}

async function main(): Promise<void> {
  const isNew = !existsSync(config);
  let sandbox: SandboxProcess | undefined;
  if (isNew) {
    sandbox = await startSandboxProcess(ROLLCALL);
    await make(sandbox.baseUrl);
  }
  const daemon = spawn(process.execPath, [ROLLCALL, '--config', config, 'run'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(daemon.stdout)) {
    const { address, event } = JSON.parse(line) as { readonly address?: string; readonly event?: string };
    if (address !== undefined) process.stdout.write(`${address}/console\n`);
    if (address !== undefined) Object.assign(daemon, { address });
    if (event !== 'run.end') continue;
    await measure((daemon as typeof daemon & { readonly address: string }).address);
    if (!values.stay) daemon.kill('SIGTERM');
  }
  await sandbox?.stop();
}

await main();
