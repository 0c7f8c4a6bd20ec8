import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Account } from './account.ts';
import { removeFolder } from './scratch.ts';

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** TCP port that answers once the server is up. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Path of a socket that the server opens after its port. */
  readonly socket?: string;
  readonly logFile: string;
  readonly account: Account | null;
  readonly stopSignal?: NodeJS.Signals;
}

export interface Daemon {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/**
 * Returns a loopback port that nobody listens at. It lies below those that Linux gives to outgoing connections (32768
 * and up): a server that starts again finds its port as it left it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const server = createServer();
  const free = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!(await free)) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}

/** A worker that is killed runs no exit handler; the kernel then ends its servers (util-linux, on Linux). */
const DIE_WITH_PARENT = existsSync('/usr/bin/setpriv')
  ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--']
  : [];

/** Starts a server in the foreground of a child process; resolves when its port answers. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const log = openSync(options.logFile, 'a');
  const [command, ...args] = [...DIE_WITH_PARENT, options.command, ...options.args];
  const child = spawn(command!, args, {
    stdio: ['ignore', log, log],
    ...options.account,
  });
  closeSync(log);
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  await answers(child, options);
  return {
    pid: child.pid!,
    kill: (signal) => void child.kill(signal),
    async stop() {
      process.off('exit', killAtExit);
      await stopChild(child, options.stopSignal ?? 'SIGTERM');
    },
  };
}

/** How a server is ended that has its data in this folder: by a crash, which leaves them, or for good. */
export function endingsOf(
  daemon: () => Daemon,
  folder: string,
): { kill(): Promise<void>; stop(): Promise<void> } {
  return {
    async kill() {
      daemon().kill('SIGKILL');
      await daemon().stop();
    },
    async stop() {
      await daemon().stop();
      removeFolder(folder);
    },
  };
}

/** Runs `ldapmodify` with `changetype:` records. */
export function ldapmodify(
  { url, bindDn, password }: { readonly url: string; readonly bindDn: string; readonly password: string },
  ldif: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): void {
  // It prints a line for each change, which nobody reads: of many they would overrun the buffer.
  execFileSync('ldapmodify', ['-x', '-H', url, '-D', bindDn, '-w', password, ...args], {
    input: ldif,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
}

async function answers(child: ChildProcess, options: DaemonOptions): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await accepts(options))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(
        `${options.command} did not start:\n${readFileSync(options.logFile, 'utf8').slice(-4_000)}`,
      );
    }
    await sleep(50);
  }
}

async function accepts({ port, host = '127.0.0.1', socket: path }: DaemonOptions): Promise<boolean> {
  const socket = path === undefined ? connect(port, host) : connect(path);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const killLater = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(killLater);
}
