import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { archive } from '../../src/app/archive.ts';
import type { LedgerFacts } from '../../src/domain/ports/ledger/ledger-facts.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { openScene } from '../ledger/open-scene.ts';
import { NOTHING_OLD, personChange, type Scene } from '../ledger/records.ts';
import { historyRecord } from '../../src/plan/changes/history-record.ts';
import { MemoryLog } from '../runtime/memory-log.ts';
import { scratchFolder, removeFolder } from '../servers/scratch.ts';

class Crash extends Error {}

/** A ledger whose process dies at the n-th write of facts, before or after it. */
function dying(ledger: Ledger, at: number, when: 'before' | 'after'): Ledger {
  let writes = 0;
  return new Proxy(ledger, {
    get: (target, name) => {
      if (name === 'setFacts')
        return (facts: Partial<LedgerFacts>): void => {
          writes += 1;
          if (writes > at || (writes === at && when === 'before')) throw new Crash();
          target.setFacts(facts);
          if (writes === at) throw new Crash();
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function'
        ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
        : value;
    },
  });
}

describe('state.historyFile', () => {
  let scene: Scene;
  let file: string;
  let log: MemoryLog;

  beforeEach(() => {
    scene = openScene('archive');
    const folder = scratchFolder('history');
    onTestFinished(() => removeFolder(folder));
    file = join(folder, 'history.jsonl');
    log = new MemoryLog();
  });

  const add = (...ids: readonly string[]): void => {
    for (const id of ids) scene.ledger.history.add('person', id, historyRecord(personChange(id), null));
  };
  const write = (ledger = scene.ledger, signal = new AbortController().signal): Promise<void> =>
    archive({ file, ledger, log, stop: signal, now: () => 5 });
  const ids = (path = file): readonly string[] => {
    const text = readFileSync(path, 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
  };

  test('gets each change once, as a private file', async () => {
    add('1', '2');
    await write();
    await write();
    add('3');
    await write();
    expect(ids()).toEqual(['1', '2', '3']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [first] = readFileSync(file, 'utf8').split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({
      n: 1,
      at: '1970-01-01T00:00:00.001Z',
      run: 'run 1',
      subject: 'person',
      id: '1',
      name: 'u1',
      kind: 'create',
      cause: 'new in the source',
      approver: null,
    });
    expect(log.lines).toEqual([]);
  });

  test('is not made, nor opened, where nothing has changed', async () => {
    await write();
    expect(existsSync(file)).toBe(false);
  });

  test.each(['before', 'after'] as const)(
    'has each change once after a crash %s any write of the ledger',
    async (when) => {
      const many = Array.from({ length: 2_500 }, (_, index) => String(index));
      add(...many);
      for (let at = 1; at <= 5; at += 1) {
        await write(dying(scene.ledger, at, when)).catch(() => undefined);
      }
      await write();
      expect(ids()).toEqual(many);
    },
  );

  test.each([1, 40, 400, 5_000])(
    'has each change once after a crash with all but %i bytes on the disk',
    async (lost) => {
      add('1');
      await write();
      add('2', '3', '4');
      await write(dying(scene.ledger, 2, 'before')).catch(() => undefined);
      truncateSync(file, Math.max(readFileSync(file).indexOf('\n') + 1, statSync(file).size - lost));
      await write();
      expect(ids()).toEqual(['1', '2', '3', '4']);
    },
  );

  test('begins anew where it was moved away, and goes on where it was copied and emptied', async () => {
    add('1');
    await write();
    renameSync(file, `${file}.1`);
    add('2');
    await write();
    expect([ids(`${file}.1`), ids()]).toEqual([['1'], ['2']]);
    truncateSync(file, 0);
    add('3');
    await write();
    expect(ids()).toEqual(['3']);
  });

  test('loses nothing where the file was replaced by another one between a crash and the next run', async () => {
    add('1');
    await write();
    add('2');
    await write(dying(scene.ledger, 2, 'before')).catch(() => undefined);
    renameSync(file, `${file}.1`);
    writeFileSync(file, `{"id":"theirs","n":2}\n`.repeat(30));
    await write();
    expect(ids().at(-1)).toBe('2');
  });

  test('keeps what others have written, and begins a line of its own', async () => {
    writeFileSync(file, '{"id":"theirs"}');
    add('1');
    await write();
    appendFileSync(file, '{"id":"more"}\n');
    add('2');
    await write();
    expect(ids()).toEqual(['theirs', '1', 'more', '2']);
  });

  test('that cannot be written is warned of, remembered, and made up for later', async () => {
    mkdirSync(file);
    add('1');
    await write();
    expect(log.lines).toMatchObject([{ level: 'warn' }]);
    expect(scene.ledger.fact('archive')?.error).toEqual({
      at: 5,
      message: expect.stringContaining('EISDIR') as string,
    });
    rmSync(file, { recursive: true });
    add('2');
    await write();
    expect([ids(), scene.ledger.fact('archive')?.error]).toEqual([['1', '2'], null]);
  });

  test('goes on under another name where the old one ended', async () => {
    add('1');
    await write();
    const old = file;
    file = `${file}.new`;
    add('2');
    await write();
    expect([ids(old), ids()]).toEqual([['1'], ['2']]);
  });

  test('leaves the rest to the next run where the process is to end', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => String(index));
    add(...many);
    await write(scene.ledger, AbortSignal.abort());
    expect(ids()).toHaveLength(1_000);
    await write();
    expect(ids()).toEqual(many);
  });

  test('is written by the holder of the lease alone', async () => {
    add('1');
    scene.ledger.lease.release();
    await write();
    expect([existsSync(file), log.lines.length]).toEqual([false, 1]);
  });

  test('keeps its own mode', async () => {
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    add('1');
    await write();
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test('loses nothing to state.keepDays before it is written', () => {
    add('1', '2');
    scene.ledger.forgetOld({ ...NOTHING_OLD, history: { before: 10, upTo: 1 } });
    expect([...scene.ledger.history.after(0)].map(({ id }) => id)).toEqual(['2']);
  });
});
