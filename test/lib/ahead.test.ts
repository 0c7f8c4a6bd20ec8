import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answersAhead } from '../../src/lib/ahead.ts';

/** Answers each question with its tenfold; those that are named fail. The first takes longest. */
function asking(started: number[], failing: readonly number[] = []) {
  return async (question: number): Promise<number> => {
    started.push(question);
    for (let turns = question === 1 ? 5 : 1; turns > 0; turns -= 1) await turn();
    if (failing.includes(question)) throw new Error(`failed: ${question}`);
    return question * 10;
  };
}

const questions = (...all: readonly number[]): Iterator<number> => all[Symbol.iterator]();

test('answers come in order, and the next questions are under way while one is worked on', async () => {
  const started: number[] = [];
  const seen: string[] = [];
  for await (const { question, answer } of answersAhead(questions(1, 2, 3, 4), asking(started), 2))
    seen.push(`${question}: ${answer}, asked ${started.join(' ')}`);
  expect(seen).toEqual([
    '1: 10, asked 1 2 3',
    '2: 20, asked 1 2 3 4',
    '3: 30, asked 1 2 3 4',
    '4: 40, asked 1 2 3 4',
  ]);
});

test('an answer that fails is thrown in its turn, and of those behind it nobody hears', async () => {
  const answers: number[] = [];
  const reading = (async () => {
    for await (const { answer } of answersAhead(questions(1, 2, 3), asking([], [2, 3]), 2))
      answers.push(answer);
  })();
  await expect(reading).rejects.toThrow('failed: 2');
  await turn();
  expect(answers).toEqual([10]);
});
