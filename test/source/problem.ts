import { expect } from 'vitest';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);

/** Matches an error of this code, with these values one after the other in its message. */
export const problem = (code: string, ...values: readonly string[]): Error => {
  const message = expect.stringMatching(new RegExp(values.map(escaped).join('.*'), 'su')) as string;
  return expect.objectContaining({ problem: code, message }) as Error;
};
