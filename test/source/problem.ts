import { expect } from 'vitest';

/** Matches an error of this code. */
export const problem = (code: string): unknown => expect.objectContaining({ problem: code });
