import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, until } from '../commands/command-line.ts';
import { freePort } from '../servers/daemon.ts';
import { figure, podman, printed, printedInside, ROLLCALL, runContainer } from './engine.ts';
import { IMAGE } from './image.ts';
import { openStage, type Stage } from './stage.ts';

const FIRST = 60;
const ALL = 600;

describe('the image, run as docs/install/docker.md says', () => {
  let stage: Stage;
  let address: string;
  beforeAll(async () => {
    stage = await openStage();
    address = `127.0.0.1:${await freePort()}`;
  });
  afterAll(() => stage?.close());

  const employees = (): number => stage.sandbox.state.employees().length;
  const facts = async (format: string): Promise<string> => printed('inspect', '--format', format, stage.name);
  const memory = async (): Promise<string> => {
    const status = readFileSync(`/proc/${await facts('{{.State.Pid}}')}/status`, 'utf8');
    const [now, peak] = ['VmRSS', 'VmHWM'].map((key) =>
      Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]),
    );
    return `${Math.round(now! / 1_024)} MB, at most ${Math.round(peak! / 1_024)} MB`;
  };
  const runs = async (): Promise<readonly unknown[]> => {
    const status = await printed('exec', stage.name, ...ROLLCALL, 'status', '--json');
    return (JSON.parse(status) as { readonly runs: readonly { readonly result: unknown }[] }).runs.map(
      ({ result }) => result,
    );
  };

  it('is user 1000, and can write to a new volume at /data and nowhere else', async () => {
    const places = '/app /config / /tmp /usr /etc /run/secrets /data';
    const script = `id -u; echo $TMPDIR; for dir in ${places}; do touch $dir/x 2>/dev/null && echo $dir; done; true`;
    const ended = await runContainer(...stage.mounts(), '--entrypoint=sh', IMAGE, '-c', script);
    expect(ended).toMatchObject({ code: 0, out: '1000\n/data\n/data\n' });
  });

  it('loads with a secret and an authority from files; a second run changes nothing', async () => {
    stage.hire(FIRST);
    expect(await stage.type('check')).toMatchObject({ code: 0 });
    expect(await stage.type('sync')).toMatchObject({ code: 0 });
    expect(employees()).toBe(FIRST);
    expect(stage.imported).toHaveLength(FIRST);
    stage.sandbox.forgetCalls();
    expect(await stage.type('sync')).toMatchObject({ code: 0 });
    expect(stage.sandbox.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
    const mode = ['--entrypoint=stat', IMAGE, '-c', '%u %a', '/data/rollcall.db'];
    expect(await printedInside(...stage.mounts(), ...mode)).toBe('1000 600');
  });

  it('answers /healthz within a second while the daemon loads, and its health check passes', async () => {
    const more = `http: { listen: '${address}' }\nsync: { guard: { joiners: off } }\n`;
    stage.configure(more);
    stage.slow(1_000);
    stage.hire(ALL);
    await printed('run', '-d', '--name', stage.name, ...stage.mounts(), IMAGE);
    await expect.poll(() => answerTime(address), { timeout: 20_000, interval: 10 }).toBeLessThan(1_000);
    const started = Date.parse(await facts('{{.State.StartedAt.Format "2006-01-02T15:04:05.000Z07:00"}}'));
    figure(`daemon answers ${Date.now() - started} ms after the start of its container`);
    const slowest: number[] = [];
    while (employees() < FIRST + 30) {
      slowest.push(await answerTime(address));
      await sleep(50);
    }
    figure(`/healthz during a load: ${slowest.length} answers, the slowest in ${Math.max(...slowest)} ms`);
    expect(Math.max(...slowest)).toBeLessThan(1_000);
    expect(await podman('healthcheck', 'run', stage.name)).toMatchObject({ code: 0 });
    expect(await podman('exec', stage.name, ...ROLLCALL, 'status', '--health')).toMatchObject({ code: 0 });
  });

  it('ends with 0 on SIGTERM in the middle of an import; the next start sends nobody twice', async () => {
    expect(employees()).toBeLessThan(ALL);
    const begun = Date.now();
    await printed('stop', stage.name);
    figure(`stop in the middle of an import ${Date.now() - begun} ms`);
    expect(await facts('{{.State.ExitCode}}')).toBe('0');
    expect(await printed('logs', stage.name)).toContain('stopping: the calls in flight are finished first');
    const before = employees();
    expect(before).toBeLessThan(ALL);
    stage.slow(0);
    await printed('start', stage.name);
    await until(() => employees() === ALL, 'the load to end', 60);
    await expect.poll(runs, { timeout: 20_000 }).toEqual(['ok', 'stopped', 'ok', 'ok']);
    expect(stage.imported.toSorted()).toEqual([...new Set(stage.imported)].toSorted());
    expect(stage.imported).toHaveLength(ALL);
    figure(`memory of the daemon with ${ALL} people ${await memory()}`);
    stage.sandbox.forgetCalls();
    await printed('kill', '--signal=USR2', stage.name);
    await expect.poll(async () => (await runs()).length, { timeout: 20_000 }).toBe(5);
    expect(stage.sandbox.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
    const idle = Date.now();
    await printed('stop', stage.name);
    figure(`stop between runs ${Date.now() - idle} ms`);
    const ends = eventsOf(await printed('logs', stage.name)).filter(({ event }) => event === 'run.end');
    expect(ends.map(({ result }) => result)).toEqual(['stopped', 'ok', 'ok']);
  });
});

/** Returns the milliseconds until the daemon says that it is alive; infinite if it does not. */
async function answerTime(address: string): Promise<number> {
  const begun = Date.now();
  try {
    const { ok } = await fetch(`http://${address}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return ok ? Date.now() - begun : Infinity;
  } catch {
    return Infinity;
  }
}
