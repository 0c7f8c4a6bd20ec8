import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../readme/page.ts';

const TEXT = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');

function said(pattern: RegExp): string {
  const word = TEXT.match(pattern)?.[1];
  if (word === undefined) throw new Error(`the Dockerfile has nothing like ${pattern}`);
  return word;
}

/** What deployments rely on of the image, as the Dockerfile says it. */
export const IMAGE = {
  version: said(/^ARG VERSION=(\S+)$/mu),
  user: Number(said(/^USER (\d+):\d+$/mu)),
  group: Number(said(/^USER \d+:(\d+)$/mu)),
  volume: said(/^VOLUME (\S+)$/mu),
  config: said(/\bROLLCALL_CONFIG=(\S+)/u),
  main: said(/^ENTRYPOINT \["node", "([^"]+)"\]$/mu),
  healthcheck: JSON.parse(said(/^HEALTHCHECK .*CMD (\[.*\])$/mu)) as readonly string[],
  healthcheckTimes: said(/^HEALTHCHECK (.*?) +CMD/mu),
} as const;
