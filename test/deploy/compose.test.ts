import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../readme/page.ts';
import { hasServer } from '../servers/install.ts';
import { IMAGE } from './image.ts';

interface Composed {
  readonly services: {
    readonly rollcall: {
      readonly volumes: readonly string[];
      readonly healthcheck: Readonly<Record<string, unknown>> & { readonly test: readonly string[] };
      readonly stop_grace_period: string;
    };
  };
}

describe.runIf(hasServer('compose'))('the compose file', () => {
  const folder = join(ROOT, 'config/deploy');
  const text = () =>
    execFileSync('docker-compose', ['-f', 'compose.yaml', 'config'], { cwd: folder, encoding: 'utf8' });

  test('is one that docker-compose takes, hardened and restarted', () => {
    expect(parse(text())).toMatchObject({
      services: {
        rollcall: {
          restart: 'unless-stopped',
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          ports: ['127.0.0.1:8080:8080/tcp'],
        },
      },
    });
  });

  test('mounts what the image expects, and asks for its health as the image does', () => {
    const { volumes, healthcheck, stop_grace_period: grace } = (parse(text()) as Composed).services.rollcall;
    expect(volumes).toEqual([
      `data:${IMAGE.volume}:rw`,
      `${folder}/config:${dirname(IMAGE.config)}:ro`,
      `${folder}/secrets:/run/secrets:ro`,
    ]);
    const { test: command, interval, timeout, start_period: start, retries } = healthcheck;
    expect(command).toEqual(['CMD', ...IMAGE.healthcheck]);
    expect(IMAGE.healthcheckTimes.split(/ +/u)).toEqual([
      `--interval=${String(interval)}`,
      `--timeout=${String(timeout)}`,
      `--start-period=${String(start)}`,
      `--retries=${String(retries)}`,
    ]);
    expect(grace).toBe('30s');
  });
});
