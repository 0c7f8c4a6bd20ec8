import { startProgram, type Typed } from '../commands/command-line.ts';
import { ROOT } from './image.ts';

/** The program in the image, for `exec`. */
export const ROLLCALL = ['node', '/app/dist/main.js'] as const;

export const podman = async (...words: readonly string[]): Promise<Typed> =>
  startProgram(['podman', ...words], { cwd: ROOT, env: process.env }).ended;

/**
 * Runs a container to its end, as `podman run --rm` does.
 * Detached, because podman lets an attached one go only 20 s after its container has ended.
 */
export async function runContainer(...words: readonly string[]): Promise<Typed> {
  const started = await podman('run', '-d', ...words);
  if (started.code !== 0) return started;
  const id = started.out.trim();
  const code = Number(await printed('wait', id));
  const logs = await podman('logs', id);
  await printed('rm', id);
  return { ...logs, code };
}

/** Returns what a container prints that has to succeed. */
export async function printedInside(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await runContainer(...words);
  if (code !== 0) throw new Error(`container of ${words.join(' ')}: exit code ${code}\n${out}${err}`);
  return out.trim();
}

/** Returns what a command prints that has to succeed. */
export async function printed(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await podman(...words);
  if (code !== 0) throw new Error(`podman ${words.join(' ')}: exit code ${code}\n${out}${err}`);
  return out.trim();
}

/** A line of the suite for people: sizes, times, memory. */
export const figure = (text: string): void => console.log(`figure: ${text}`);
