import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stage } from './command-line.ts';

/**
 * What happens: a statement of the HR database, what is typed (with its words apart, if one has a blank), or something
 * else with a name, which may return a text to be shown. What is typed may have HASH and HASH2, the hashes of the last
 * command that was shown, and RUN, the last run that changed something.
 */
export type Step =
  | string
  | readonly [what: string, act: (stage: Stage) => unknown]
  | readonly [verb: string, ...words: readonly string[]];

const SQL = /^(?:alter|create|delete|drop|insert|update) /u;
/** Verbs that never change the ledger or the service. */
const LOOKS = new Set(['check', 'explain', 'history', 'plan', 'status']);

const happens = (step: Step): step is readonly [string, (stage: Stage) => unknown] =>
  typeof step !== 'string' && typeof step[1] === 'function';

/** Replaces a part of the configuration as it is by itself. */
export const configured = (...replacements: readonly (readonly [search: string, by: string])[]): Step => [
  replacements.map(([search, by]) => `${search} becomes ${by}`).join('; '),
  (stage) => stage.configure(...replacements),
];

/** Returns what was typed and shown, with the exit code and what was sent; what differs each time stands as a word. */
export async function play(stage: Stage, steps: readonly Step[]): Promise<string> {
  const texts: string[] = [];
  const seen: Record<string, string> = {};
  stage.changing();
  for (const step of steps) {
    if (happens(step)) {
      const told = (await step[1](stage)) ?? '';
      texts.push(constant(`# ${step[0]}\n${typeof told === 'string' ? told : ''}`, stage));
    } else if (typeof step === 'string' && SQL.test(step)) {
      stage.hr(step);
      texts.push(`# ${step.replaceAll(/\s+/gu, ' ')}\n`);
    } else texts.push(await shown(stage, typeof step === 'string' ? step.split(' ') : step, seen));
  }
  return texts.join('\n');
}

/** Plays a story, whose text has to be that of the file `screens/NAME.txt`; returns the text. */
export async function expectStory(name: string, stage: Stage, steps: readonly Step[]): Promise<string> {
  const text = await play(stage, steps);
  await expectScreen(name, text);
  return text;
}

export async function expectScreen(name: string, text: string): Promise<void> {
  const file = name.replaceAll(/[^\w]+/gu, '-').toLowerCase();
  await expect(text).toMatchFileSnapshot(`screens/${file}.txt`);
}

async function shown(stage: Stage, words: readonly string[], seen: Record<string, string>): Promise<string> {
  const before = ledgerBytes(stage);
  const { code, out, err } = await stage.type(
    ...words.map((word) => word.replace(/^(?:HASH2?|RUN)/u, (name) => seen[name] ?? name)),
  );
  const sent = stage.changing();
  const [, hash, , second] = /--approve ([0-9a-f]{12})( --approve ([0-9a-f]{12}))?/u.exec(out) ?? [];
  if (hash !== undefined) Object.assign(seen, { HASH: hash, HASH2: second ?? '' });
  const [, run] = /"run":"([\w-]+)"/u.exec(out) ?? [];
  if (run !== undefined && sent.length > 0) seen['RUN'] = run;
  if (words.some((word) => LOOKS.has(word))) {
    expect(ledgerBytes(stage)).toEqual(before);
    expect(sent).toEqual([]);
  }
  const typed = words.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
  const end = [`exit ${code}`, ...new Set(sent)].join(', ');
  return constant(`$ rollcall ${typed}\n${withoutLog(out)}${withoutLog(err)}(${end})\n`, stage);
}

/** Leaves the log out, but for the reason why a run failed. */
const withoutLog = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{"level"')) return [line];
      const { event, error } = JSON.parse(line) as Readonly<Record<string, string>>;
      return event === 'run.end' && error !== undefined ? [`run.end: ${error}`] : [];
    })
    .join('\n');

/** Of every file; SQLite's own files for who reads are no part of the ledger as long as they hold nothing. */
export function ledgerBytes({ folder }: Stage): readonly string[] {
  const state = join(folder, 'state');
  const names = statSync(state, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(state).toSorted()
    : [];
  return names.flatMap((name) => {
    const bytes = readFileSync(join(state, name));
    if (name.endsWith('-shm') || (name.endsWith('-wal') && bytes.length === 0)) return [];
    return [`${name} ${createHash('sha256').update(bytes).digest('hex')}`];
  });
}

/** Places, times, ids of the service and runs, and hashes are others each time. */
export function constant(text: string, { folder, sandbox }: Stage): string {
  return text
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, '.')
    .replaceAll(sandbox.baseUrl, 'SERVICE')
    .replaceAll(/\/(?:[\w.-]+\/)*rollcall-[\w-]+-\w{6}\//gu, '…/')
    .replaceAll(/\d{8}-\d{6}-[a-z0-9]{4}/gu, 'RUN')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T| )\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)/gu, 'TIME')
    .replaceAll(new Date().toISOString().slice(0, 10), 'TODAY')
    .replaceAll(/\b1[789]\d{11}\b/gu, 'TIME')
    .replaceAll(/(?<="(?:read|refresh|plan|apply|verify|rssMB)": ?)\d+/gu, 'N')
    .replaceAll(/(?<=\b(?:localhost|127\.0\.0\.1):)\d+/gu, 'PORT')
    .replaceAll(/(?<=\bid )\d+/gu, 'ID')
    .replaceAll(/\b[0-9a-f]{12}\b/gu, 'HASH')
    .replaceAll(/\b\d+ s\b/gu, 'N s')
    .replaceAll(/\b\d{16,19}\b/gu, 'ID');
}
