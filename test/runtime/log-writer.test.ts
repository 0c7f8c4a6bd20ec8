import { execFileSync } from 'node:child_process';
import { constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LogWriter } from '../../src/runtime/log-writer.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

function folder(): string {
  const path = scratchFolder('log');
  onTestFinished(() => removeFolder(path));
  return path;
}

/** A writer on a file, and what it has complained of. */
function writerOn(fd: number) {
  const complaints: string[] = [];
  const writer = new LogWriter({
    fd,
    complain: (sentence) => void complaints.push(sentence),
    lostLine: (lines) => `lost ${lines}\n`,
  });
  onTestFinished(() => writer.end(0));
  return { writer, complaints };
}

/** A pipe whose other end is ours, and takes nothing until it is read. */
function pipe() {
  const path = join(folder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const chunk = Buffer.alloc(65_536);
  return {
    fd,
    fill: (): void => {
      expect(() => {
        for (;;) writeSync(fd, '.');
      }).toThrow('EAGAIN');
    },
    /** What there is now. */
    read: (): string => {
      try {
        return chunk.toString('utf8', 0, readSync(fd, chunk));
      } catch {
        return '';
      }
    },
  };
}

test('a line is written right after the work that logs it, and not within', async () => {
  const file = join(folder(), 'log');
  const { writer } = writerOn(openSync(file, 'w'));
  writer.write('one\n');
  writer.write('two\n');
  expect(readFileSync(file, 'utf8')).toBe('');
  await Promise.resolve();
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

test('a pipe that nobody reads delays its lines, and nothing else; read again, none is missing', async () => {
  const { fd, fill, read } = pipe();
  fill();
  const { writer, complaints } = writerOn(fd);
  const before = performance.now();
  for (let line = 0; line < 1_000; line += 1) writer.write(`line ${line}\n`);
  await Promise.resolve();
  expect(performance.now() - before).toBeLessThan(1_000);
  expect(read()).toMatch(/^\.+$/u);
  await sleep(250);
  const lines = read().trimEnd().split('\n');
  expect([lines.length, lines[0], lines.at(-1), complaints]).toEqual([1_000, 'line 0', 'line 999', []]);
});

test('what does not fit in memory is counted, said once, and told of where it is missing', async () => {
  const { fd, fill, read } = pipe();
  fill();
  const { writer, complaints } = writerOn(fd);
  const large = `${'x'.repeat(99_999)}\n`;
  for (let line = 0; line < 90; line += 1) writer.write(large);
  expect(complaints).toEqual(['lines of the log are lost (nobody reads it); the work goes on']);
  let text = '';
  for (let tries = 0; tries < 1_000 && !text.endsWith('next\n'); tries += 1) {
    await sleep(3);
    text += read();
    if (text.split(large).length === 84) writer.write('next\n');
  }
  expect(text.split(large).length - 1).toBe(83);
  expect(text.slice(-12)).toBe('lost 7\nnext\n');
});

test('a disk that is full loses the line and ends nothing', async () => {
  const { writer, complaints } = writerOn(openSync('/dev/full', 'w'));
  for (let line = 0; line < 3; line += 1) {
    writer.write('line\n');
    await Promise.resolve();
  }
  expect(complaints).toEqual([expect.stringContaining(' (ENOSPC')]);
});
