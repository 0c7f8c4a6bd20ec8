import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  canContain,
  finishImage,
  inContainer,
  makeVolumes,
  runContainer,
  type Volumes,
} from './container.ts';
import { execForm, lastOf } from './dockerfile.ts';
import { buildImage, type Image } from './image.ts';

const PEOPLE = 60;

/** Everything else is the default, so that the defaults are what is tried. */
const configOf = (sandbox: Sandbox) => `
service:
  baseUrl: ${sandbox.baseUrl}
  domainId: ${sandbox.domainId}
  orgCode: ${sandbox.orgCode}
  token: ${sandbox.token}
  limits: { requestsPerSecond: 100, concurrency: 1, peoplePerImport: 20 }
source:
  type: sql
  url: sqlite:/config/hr.db
  units: { query: select * from unit, fields: { id: id, name: name } }
  people:
    query: select id from person
    fields: { id: id, username: id, name: id, positions: [{ unit: { const: D1 } }] }
`;

function fillHr(file: string): void {
  const db = new Database(file);
  db.exec(
    "create table person (id text); create table unit (id text, name text); insert into unit values ('D1', 'Sales')",
  );
  for (let n = 1; n <= PEOPLE; n += 1) db.prepare('insert into person values (?)').run(`p${n}`);
  db.close();
}

describe.runIf(canContain())('the image, run as the Dockerfile says', () => {
  let image: Image;
  let sandbox: Sandbox;
  let volumes: Volumes;

  beforeAll(() => {
    image = buildImage();
    finishImage(image);
  });
  afterAll(() => image?.remove());
  beforeEach(async () => {
    sandbox = await startSandbox();
    volumes = makeVolumes(image, configOf(sandbox));
    fillHr(join(volumes.config, 'hr.db'));
  });
  afterEach(async () => {
    volumes.remove();
    await sandbox.close();
  });

  const employees = () => sandbox.state.employees().length;
  /** What a verb prints that ends well. */
  const done = async (words: readonly string[]): Promise<string> => {
    const { code, out } = await runContainer(image, volumes, words).ended;
    expect({ code, out }).toEqual({ code: 0, out });
    return out;
  };
  const results = async (): Promise<readonly unknown[]> => {
    const status = JSON.parse(await done(['status', '--json'])) as {
      readonly runs: readonly { readonly result: string | null }[];
    };
    return status.runs.map(({ result }) => result);
  };

  it('can write to /data and nowhere else, and is not root', async () => {
    const places = '/app /config / /tmp /usr /etc /data';
    const script = `id -u; for dir in ${places}; do touch $dir/x 2>/dev/null && echo $dir; done; true`;
    expect(await inContainer(image, volumes, ['sh', '-c', script])).toEqual({
      code: 0,
      out: '1000\n/data\n',
    });
  });

  it('syncs by `docker run IMAGE sync`, plans, and leaves all in /data, for nobody else to read', async () => {
    expect((await done(['plan'])).split('\n')).toContain('  people  + 60 create');
    await done(['sync']);
    expect(employees()).toBe(PEOPLE);
    const { uid, mode } = statSync(join(volumes.data, 'rollcall.db'));
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 1000, mode: 0o600 });
    expect(await results()).toEqual(['ok']);
  });

  it('process 1 finishes the call in flight on SIGTERM, records its run, and exits 0; the next run ends the work', async () => {
    const inFlight = new Promise<void>((resolve) => {
      sandbox.onCall = async ({ operation }) => {
        if (operation !== 'importEmployees') return;
        resolve();
        await sleep(1_000);
      };
    });
    const daemon = runContainer(image, volumes);
    expect(await Promise.race([inFlight, daemon.ended])).toBe(undefined);
    const begun = Date.now();
    daemon.signal('SIGTERM');
    const { code, out } = await daemon.ended;
    expect({ code, out }).toEqual({ code: 0, out });
    expect(Date.now() - begun).toBeLessThan(25_000);
    expect(out).toContain('stopping: the calls in flight are finished first');
    expect(employees()).toBeGreaterThan(0);
    expect(employees()).toBeLessThan(PEOPLE);
    expect(await results()).toEqual(['stopped']);

    sandbox.onCall = undefined;
    await done(['sync']);
    expect(employees()).toBe(PEOPLE);
  });

  it('is healthy while the daemon runs, and not before', async () => {
    const health = execForm(lastOf(image.stage, 'HEALTHCHECK').replace(/^CMD /, ''));
    expect(await inContainer(image, volumes, health)).toEqual({
      code: 1,
      out: expect.stringMatching(/^no heartbeat at all/u) as string,
    });
    const daemon = runContainer(image, volumes);
    expect(await Promise.race([heartbeat(volumes), daemon.ended])).toBe(undefined);
    expect(await inContainer(image, volumes, health)).toEqual({ code: 0, out: '' });
    daemon.signal('SIGTERM');
    expect((await daemon.ended).code).toBe(0);
  });
});

async function heartbeat({ data }: Volumes): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (existsSync(join(data, 'rollcall.db.heartbeat'))) return;
    await sleep(50);
  }
}
