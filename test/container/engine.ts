import { startProgram, type Running, type Typed } from '../commands/command-line.ts';
import { ROOT } from './image.ts';

/** The program in the image, for `exec`. */
export const ROLLCALL = ['node', '/app/dist/main.js'] as const;

export const startPodman = (...words: readonly string[]): Running =>
  startProgram(['podman', ...words], { cwd: ROOT, env: process.env });

export const podman = async (...words: readonly string[]): Promise<Typed> => startPodman(...words).ended;

/** Returns what a command prints that has to succeed. */
export async function printed(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await podman(...words);
  if (code !== 0) throw new Error(`podman ${words.join(' ')}: exit code ${code}\n${out}${err}`);
  return out.trim();
}

/** A line of the suite for people: sizes, times, memory. */
export const figure = (text: string): void => console.log(`figure: ${text}`);
