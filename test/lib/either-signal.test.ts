import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { eitherSignal } from '../../src/lib/either-signal.ts';

test('is aborted with either of the two, and takes as many listeners as there are calls', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  for (const first of [true, false]) {
    const [one, other] = [new AbortController(), new AbortController()];
    const signal = eitherSignal(one.signal, other.signal);
    let heard = 0;
    for (let call = 0; call < 20; call += 1) signal.addEventListener('abort', () => (heard += 1));
    (first ? one : other).abort();
    expect([signal.aborted, heard]).toEqual([true, 20]);
  }
  await setImmediate();
  expect(warnings).toEqual([]);
});
