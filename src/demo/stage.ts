import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { CommandLine, MAIN } from './command-line.ts';
import { demoConfig, type DemoCallback } from './demo-config.ts';
import { HrDatabase } from './hr-database.ts';
import { Narrator } from './narrator.ts';
import type { Workforce } from './workforce.ts';

/**
 * Everything that the demo uses: a folder with an HR database and a configuration, and a service beside it.
 */
export interface Stage {
  readonly folder: string;
  readonly configText: string;
  readonly hr: HrDatabase;
  readonly sandbox: Sandbox;
  readonly narrator: Narrator;
  readonly commandLine: CommandLine;
  readonly callback: DemoCallback;
  /** Adds lines to the configuration. */
  readonly configure: (more: string) => void;
  /** Commands that start a kept stage again. */
  readonly goOn: readonly string[];
  readonly close: () => Promise<void>;
}

const CONFIG = 'rollcall.yaml';
const HR = 'hr.db';
const TOKEN = 'token';
const SERVICE = 'service.db';

const CALLBACK = {
  token: 'demo-callback-token',
  key: 'harbourinstrumentsharbourinstrumentsharbou0',
  applicationId: 'rollcall-demo',
} as const;

export interface StageOptions {
  readonly workforce: Workforce;
  /** Whether the folder stays after the demo. */
  readonly keep: boolean;
}

export async function setStage({ workforce, keep }: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-demo-'));
  if (!keep) removeAtExit(folder);
  const hr = new HrDatabase(join(folder, HR), workforce);
  const approver = hr.seats().find(({ department, head }) => department === 'D5' && head === 1)?.login ?? '';
  const callback = { ...CALLBACK, approver, port: await freePort() };
  const { token, key, applicationId, port } = callback;
  const url = `http://127.0.0.1:${port}/callback`;
  const sandbox = await startSandbox({
    data: join(folder, SERVICE),
    rootName: 'Harbour Instruments',
    callback: { url, token, key, applicationId },
  });
  const configText = demoConfig(sandbox, { hr: HR, token: TOKEN });
  writeFileSync(join(folder, TOKEN), sandbox.token, { mode: 0o600 });
  writeFileSync(join(folder, CONFIG), configText);
  const narrator = new Narrator(process.stdout, process.env);
  return {
    folder,
    configText,
    hr,
    sandbox,
    narrator,
    callback,
    configure: (more) => appendFileSync(join(folder, CONFIG), more),
    commandLine: new CommandLine({ folder, config: CONFIG, narrator }),
    goOn: [
      `cd ${folder}`,
      `node ${MAIN} sandbox --data ${SERVICE} --port ${new URL(sandbox.baseUrl).port} \\`,
      `  --callback ${url} --callback-app ${applicationId} --callback-token ${token} --callback-key ${key} &`,
      `node ${MAIN} --config ${CONFIG} run   # answer it on the page ${sandbox.baseUrl}/`,
      `node ${MAIN} --config ${CONFIG} plan`,
    ],
    close: async () => {
      hr.close();
      await sandbox.close();
    },
  };
}

/** Returns a port on which nobody listens now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return address.port;
}

/** Removes the folder at exit, however the demo ends, Ctrl-C included. */
function removeAtExit(folder: string): void {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }
}
