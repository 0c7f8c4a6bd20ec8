import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import Database from 'better-sqlite3';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { authority } from '../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { runContainer } from './engine.ts';
import { IMAGE } from './image.ts';
import type { Typed } from '../commands/command-line.ts';

/** What `docker run` has beside the image: a company in SQLite, a configuration, secrets, and the service over TLS. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** Name of the volume at /data; also a prefix for names of containers. */
  readonly name: string;
  /** Usernames in the order in which they were sent to be created. */
  readonly imported: readonly string[];
  /** Each import takes so many milliseconds from now on. */
  readonly slow: (milliseconds: number) => void;
  /** Words of `podman run` that docs/install/docker.md has, with a network; `data` is the option for /data. */
  readonly mounts: (data?: string) => readonly string[];
  /** A verb in a container of its own. */
  readonly type: (...words: readonly string[]) => Promise<Typed>;
  /** The company has people p1 to pN from now on. */
  readonly hire: (people: number) => void;
  /** Writes the configuration, with more lines at its end. */
  readonly configure: (more?: string) => void;
  /** Changes the text of the configuration. */
  readonly edit: (change: (text: string) => string) => void;
  readonly close: () => Promise<void>;
}

const configText = ({ domainId, orgCode }: Sandbox, address: string): string => `service:
  baseUrl: ${address}
  domainId: ${domainId}
  orgCode: ${orgCode}
  token: \${file:/run/secrets/service-token}
  tls: { caFile: /run/secrets/ca.pem }
  limits: { requestsPerSecond: 1000, concurrency: 1 }
source:
  type: sql
  url: sqlite:/config/hr.db
  units: { query: select * from unit, fields: { id: id, name: name } }
  people:
    query: select * from person
    fields: { id: id, username: login, name: name, positions: [{ unit: unit }], mobile: { expr: "phone(tel, 'DE')" } }
`;

/** The user of the image. */
const USER = 1_000;

export async function openStage(): Promise<Stage> {
  const folder = scratchFolder('container');
  const [config, secrets] = [join(folder, 'config'), join(folder, 'secrets')];
  const configFile = join(config, 'rollcall.yaml');
  for (const path of [config, secrets]) mkdirSync(path);
  const sandbox = await startSandbox({ readings: [`maxBatch=${MOST}`] });
  const proxy = await tlsBefore(sandbox, folder);
  writeFileSync(join(secrets, 'service-token'), `${sandbox.token}\n`);
  copyFileSync(join(folder, 'ca.pem'), join(secrets, 'ca.pem'));
  for (const path of [secrets, join(secrets, 'service-token'), join(secrets, 'ca.pem')]) {
    chmodSync(path, path === secrets ? 0o700 : 0o600);
    chownSync(path, USER, USER);
  }
  const hr = new Database(join(config, 'hr.db'));
  hr.exec(
    "create table person (id text primary key, login text, name text, unit text, tel text); create table unit (id text, name text); insert into unit values ('D1', 'Sales')",
  );
  const hire = hr.prepare("insert or ignore into person values (?, ?, ?, 'D1', '(030) 1234-5678')");
  const name = `rollcall-${randomBytes(4).toString('hex')}`;
  const mounts = (data = `-v=${name}:/data`): readonly string[] => [
    ...'--network=host --read-only --read-only-tmpfs=false --stop-timeout=30'.split(' '),
    data,
    `-v=${config}:/config:ro`,
    `-v=${secrets}:/run/secrets:ro`,
  ];
  const configure = (more = ''): void => writeFileSync(configFile, configText(sandbox, proxy.address) + more);
  configure();
  return {
    sandbox,
    folder,
    name,
    ...watchImports(sandbox),
    mounts,
    configure,
    edit: (change) => writeFileSync(configFile, change(readFileSync(configFile, 'utf8'))),
    type: async (...words) => runContainer(...mounts(), IMAGE, ...words),
    hire: (people) => {
      for (let at = 1; at <= people; at += 1) hire.run(`p${at}`, `p${at}`, `Person ${at}`);
    },
    close: async () => {
      hr.close();
      proxy.close();
      await sandbox.close();
      removeFolder(folder);
    },
  };
}

/** Most people of an import that the service takes: many calls are wanted. */
const MOST = 10;

/** Notes whom each call imports that is not too large, and lets it take its time. */
function watchImports(sandbox: Sandbox): Pick<Stage, 'imported' | 'slow'> {
  const imported: string[] = [];
  let milliseconds = 0;
  sandbox.onCall = async ({ operation }, body) => {
    if (operation !== 'importEmployees') return;
    const usernames = [...body.matchAll(/"username":"(p\d+)"/g)].map(([, username = '']) => username);
    if (usernames.length > MOST) return;
    imported.push(...usernames);
    await sleep(milliseconds);
  };
  return { imported, slow: (ms) => void (milliseconds = ms) };
}

/** The service as it stands in companies: behind TLS with a certificate of a private authority. */
async function tlsBefore(sandbox: Sandbox, folder: string): Promise<{ address: string; close: () => void }> {
  const { certFile, keyFile } = authority(folder).issue('service', 'IP:127.0.0.1');
  const port = Number(new URL(sandbox.baseUrl).port);
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const side of [client, upstream]) {
      side.on('error', () => undefined);
      side.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
