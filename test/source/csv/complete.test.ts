import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { ConfigError, SourceError, StoppedError } from '../../../src/domain/errors.ts';
import { csvSource } from '../open-one.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { systemError } from '../../../src/source/csv/csv-problems.ts';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { COMPLETE } from '../csv-world.ts';
import { collect, never, readAll } from '../source-contract.ts';
import { problem } from '../problem.ts';
import { PEOPLE_TEXT, smallExport, type Small } from './small.ts';

const NOW = Math.floor(Date.now() / 1000);

/** Sets when a file was written: so many minutes ago. */
function written(small: Small, name: string, minutesAgo: number): void {
  const at = NOW - minutesAgo * 60;
  utimesSync(join(small.folder, name), at, at);
}

const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

const sourceWith = (pattern: string): unknown =>
  csvSource(smallExport().settings({ complete: { ...COMPLETE, trailer: { pattern } } }));

const pathIn = ({ folder }: Small, name: string): string => join(folder, name);

describe('a file of an export', () => {
  test.each<[string, (small: Small, path: string) => unknown, string]>([
    ['that does not exist', (_, path) => rmSync(path), 'csv-unreadable'],
    ['that is a folder', (_, path) => [rmSync(path), mkdirSync(path)], 'csv-unreadable'],
    ['that is a pipe', (_, path) => [rmSync(path), execFileSync('mkfifo', [path])], 'csv-unreadable'],
    ['without a byte', (small) => small.write('people.csv', ''), 'csv-empty'],
  ])('%s is named', async (_, spoil, code) => {
    const small = smallExport();
    spoil(small, pathIn(small, 'people.csv'));
    const failure = small.read();
    await expect(failure).rejects.toThrow(problem(code, 'source.people.file: '));
    await expect(failure).rejects.toBeInstanceOf(SourceError);
  });

  test('that may not be read, and one of a relative path, are named with what to do', () => {
    const file = { place: 'source.people.file', path: 'in/people.csv' };
    const failed = (code: string): Error => systemError(file, Object.assign(new Error('x'), { code }));
    expect(failed('EACCES')).toEqual(problem('csv-unreadable', 'in/people.csv may not'));
    expect(failed('ENOENT')).toEqual(problem('csv-unreadable', process.cwd()));
  });

  test('with a header alone has nobody, which is for the run to judge', async () => {
    const small = smallExport();
    small.write('people.csv', 'id,login,name,title,unit\n');
    const { people, evidence } = await small.read();
    expect(people).toEqual([]);
    expect(evidence.parts[1]).toMatchObject({ part: 'people', records: 0, pages: 1, end: 'end of file' });
  });
});

describe('a file that is written while it is read', () => {
  const many = PEOPLE_TEXT + '3,cid,Cid,,u1\n'.repeat(20_000);

  async function readWhile(change: (small: Small, path: string) => void): Promise<unknown> {
    const small = smallExport();
    small.write('people.csv', many);
    utimesSync(pathIn(small, 'people.csv'), NOW, NOW);
    const read = await csvSource(small.settings()).open(never);
    try {
      let first = true;
      for await (const _ of read.people()) {
        if (first) change(small, pathIn(small, 'people.csv'));
        first = false;
      }
      return read.evidence().parts;
    } catch (error) {
      throw read.evidence().parts[0]?.end === 'not ended' ? error : new Error('the read shows an end');
    } finally {
      await read.close();
    }
  }

  test.each<[string, (small: Small, path: string) => void]>([
    ['grows', (_, path) => appendFileSync(path, '4,dan,Dan,,u1\n')],
    ['is written again, with the same size', (_, path) => utimesSync(path, 1, 1)],
    [
      'is replaced by a renamed one of the same size and time',
      (small, path) => {
        small.write('new.csv', many);
        utimesSync(pathIn(small, 'new.csv'), NOW, NOW);
        renameSync(pathIn(small, 'new.csv'), path);
      },
    ],
    ['is taken away', (_, path) => rmSync(path)],
    ['belongs to another one that is replaced', (small) => small.write('units.csv', 'id,parent_id,name\n')],
  ])('and %s is not whole', async (_, change) => {
    await expect(readWhile(change)).rejects.toThrow(problem('csv-changed'));
  });

  test('and left as it is, is', async () => {
    expect(await readWhile(() => undefined)).toEqual([
      { part: 'people', records: 20_002, pages: 1, end: 'end of file', atLeastPercent: 80 },
    ]);
  });
});

/** A clock on which the export was written two seconds ago. */
function shortlyAfter(small: Small): FakeClock {
  for (const name of ['units.csv', 'people.csv'])
    utimesSync(pathIn(small, name), 1_700_000_000, 1_700_000_000);
  return new FakeClock({ now: 1_700_000_002_000, auto: true });
}

describe('a file that was just written', () => {
  test('waits until the newest file has been left alone so long', async () => {
    const small = smallExport();
    const clock = shortlyAfter(small);
    expect((await small.readIf({ quietSeconds: 10 }, clock)).people).toHaveLength(2);
    expect(clock.slept).toEqual([8_000]);
    clock.set(1_700_000_011_000);
    await small.readIf({ quietSeconds: 10 }, clock);
    expect(clock.slept).toEqual([8_000]);
  });

  test('looks twice at a file of the future', async () => {
    const small = smallExport();
    const clock = shortlyAfter(small);
    clock.set(1_600_000_000_000);
    expect((await small.readIf({ quietSeconds: 10 }, clock)).people).toHaveLength(2);
    expect(clock.slept).toEqual([10_000]);
  });

  test('opens a file again that grew meanwhile, and gives up where it always grows', async () => {
    const small = smallExport();
    const clock = shortlyAfter(small);
    const grow = (): void => {
      appendFileSync(pathIn(small, 'people.csv'), '3,cid,Cid,,u1\n');
      utimesSync(pathIn(small, 'people.csv'), clock.now() / 1000, clock.now() / 1000);
    };
    let left = 2;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms, signal) => {
      if (left > 0) grow();
      left -= 1;
      await sleep(ms, signal);
    };
    expect((await small.readIf({ quietSeconds: 10 }, clock)).people).toHaveLength(4);
    left = 100;
    clock.set(clock.now() - 1_000_000);
    await expect(small.readIf({ quietSeconds: 10 }, clock)).rejects.toThrow(
      problem('csv-still-written', 'people.csv'),
    );
  });

  test('ends its waiting when it is told to stop', async () => {
    const small = smallExport();
    const controller = new AbortController();
    const reading = csvSource(small.settings({ complete: { ...COMPLETE, quietSeconds: 100 } })).open(
      controller.signal,
    );
    controller.abort();
    await expect(reading).rejects.toBeInstanceOf(StoppedError);
  });

  test('is not waited for where a done file or a trailer proves the end', async () => {
    const small = smallExport();
    const clock = shortlyAfter(small);
    small.write('done', '');
    await small.readIf({ quietSeconds: 10, doneFile: pathIn(small, 'done') }, clock);
    expect(clock.slept).toEqual([]);
  });
});

describe('doneFile', () => {
  test('has to be there, and to be the last one', async () => {
    const small = smallExport();
    const doneFile = pathIn(small, 'export.done');
    await expect(small.readIf({ doneFile })).rejects.toThrow(
      problem('csv-not-done', 'export.done is not there'),
    );
    small.write('export.done', '');
    written(small, 'export.done', 5);
    await expect(small.readIf({ doneFile })).rejects.toThrow(problem('csv-not-done', 'is older than'));
    written(small, 'people.csv', 6);
    await expect(small.readIf({ doneFile })).rejects.toThrow(problem('csv-not-done', 'units.csv'));
    written(small, 'units.csv', 5);
    expect((await small.readIf({ doneFile })).people).toHaveLength(2);
  });

  test.each<[string, (path: string) => void]>([
    ['removed', (path) => rmSync(path)],
    ['written again', (path) => utimesSync(path, 4_000_000_000, 4_000_000_000)],
  ])('that is %s while the files are read', async (_, change) => {
    const small = smallExport();
    const doneFile = pathIn(small, 'export.done');
    small.write('export.done', '');
    const read = await csvSource(small.settings({ complete: { ...COMPLETE, doneFile } })).open(never);
    change(doneFile);
    await expect(collect(read.people())).rejects.toThrow(problem('csv-not-done'));
    await read.close();
  });
});

function withTrailers(units: string, people: string, lineEnd = '\n'): Small {
  const small = smallExport();
  small.write('units.csv', `id,parent_id,name\nu1,,Company\nu2,u1,Sales\n${units}`);
  small.write('people.csv', `${PEOPLE_TEXT}${people}`.replaceAll('\n', lineEnd));
  return small;
}

describe('trailer', () => {
  const trailer = String.raw`^END;(\d+)`;

  test.each([
    ['as the last line', 'END;2\n', trailer, '\n'],
    ['without line end', 'END;2', trailer, '\n'],
    ['before blank lines', 'END;2\n\n\n', trailer, '\n'],
    ['with line ends of Windows', 'END;2\n', trailer, '\r\n'],
    ['with groups of digits', 'END;0.002\n', String.raw`^END;([\d.]+)`, '\n'],
    ['without a number', 'END;2\n', '^END;2$', '\n'],
  ])('%s is no row', async (_, text, pattern, lineEnd) => {
    const { people } = await withTrailers('END;2\n', text, lineEnd).readIf({ trailer: { pattern } });
    expect(people.map(({ id }) => id)).toEqual(['1', '2']);
  });

  test.each<[string, string, string]>([
    ['that is not there', '', 'csv-no-trailer'],
    ['with rows behind it', 'END;2\n3,cid,Cid,,u1\n', 'csv-no-trailer'],
    ['that tells more rows', 'END;3\n', 'csv-row-count'],
    ['that tells fewer rows', 'END;1\n', 'csv-row-count'],
    ['that tells too much', `END;${'9'.repeat(30)}\n`, 'csv-no-trailer'],
  ])('%s means that the file is not whole', async (_, text, code) => {
    await expect(withTrailers('END;2\n', text).readIf({ trailer: { pattern: trailer } })).rejects.toThrow(
      problem(code),
    );
  });

  test('in UTF-16 is found too', async () => {
    const small = smallExport();
    small.write('units.csv', wide('id,parent_id,name\nu1,,Company\nENDĊ;1\n'));
    small.write('people.csv', wide(`${PEOPLE_TEXT}ENDĊ;2\r\n`));
    const { people } = await small.read({
      encoding: 'utf-16le',
      // Its second character holds the byte of a line feed.
      complete: { ...COMPLETE, trailer: { pattern: String.raw`^ENDĊ;(\d+)` } },
    });
    expect(people).toHaveLength(2);
  });

  test('with a pattern that cannot be used is a mistake of the configuration', () => {
    expect(() => sourceWith('^END(')).toThrow(ConfigError);
    expect(() => sourceWith('^(?=END)')).toThrow(/^source\.complete\.trailer\.pattern: .*look-around/u);
  });
});

describe('the age of files', () => {
  test('beyond maxAgeHours is refused, of the oldest file', async () => {
    const small = smallExport();
    written(small, 'units.csv', 26 * 60);
    await expect(small.readIf({ maxAgeHours: 25 })).rejects.toThrow(
      problem('csv-old', 'units.csv is 26.0 hours'),
    );
    expect((await small.readIf({ maxAgeHours: 27 })).people).toHaveLength(2);
  });
});

describe('the share of the last read', () => {
  test('is told with each part, with logos of units too', async () => {
    const { units, ...rest } = smallExport().settings();
    const withLogos = {
      ...rest,
      units: { ...units, rules: { ...units.rules, fields: { name: 'name', logo: 'name' } } },
    };
    for (const settings of [{ ...rest, units }, withLogos]) {
      const { evidence } = await readAll(openSource(settings));
      expect(evidence.parts.map(({ atLeastPercent }) => atLeastPercent)).toEqual([80, 80]);
    }
  });
});

describe('the identity of files', () => {
  test('is their paths and the rules of the ids', () => {
    const small = smallExport();
    const identity = (file: string): string => {
      const { units } = small.settings();
      return csvSource(small.settings({ units: { ...units, file } })).identity;
    };
    expect(identity('in/units.csv')).toBe(identity('./in/units.csv'));
    expect(identity('in/units.csv')).not.toBe(identity('in/unit.csv'));
    expect(JSON.parse(identity('a'))).toMatchObject({ kind: 'csv', unitId: 'id', personId: 'id' });
  });
});
