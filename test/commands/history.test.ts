import { describe, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { changeTexts } from '../../src/plan/words/describe-change.ts';
import { sinceOf } from '../../src/report/describe-history.ts';
import type { WrittenEntry } from '../../src/plan/words/written-entry.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import { loadedStage, openStage, type Stage } from './command-line.ts';

async function historyOf(stage: Stage, ...args: readonly string[]): Promise<readonly WrittenEntry[]> {
  const { code, err, out } = await stage.type('history', '--json', ...args);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as readonly WrittenEntry[];
}

describe('history', () => {
  test('lists each applied change of a record, field by field, while a run holds the lease', async () => {
    const stage = await loadedStage();
    stage.hr(`update employee set email = 'new@example.com', full_name = 'Anna' where emp_no = '1'`);
    await stage.type('sync');
    const db = new Database(stage.ledgerFile);
    const lease = { holder: 'somebody', renewals: 0, expiresAt: 9e15, boot: null, ends: 9e15 };
    db.prepare(`insert into fact values ('lease', ?)`).run(JSON.stringify(lease));
    const [created, changed, ...more] = await historyOf(stage, '--person', 'ANN');
    expect(more).toEqual([]);
    expect(created).toMatchObject({
      kind: 'create',
      name: 'ann',
      cause: 'new in the source',
      approver: null,
    });
    expect(created?.fields).toContainEqual({ field: 'email', before: null, after: 'ann@example.com' });
    expect(changed).toMatchObject({ kind: 'update', cause: 'changed in the source', guard: 'updates' });
    expect(changed?.fields).toEqual([
      { field: 'name', before: 'Ann', after: 'Anna' },
      { field: 'email', before: 'ann@example.com', after: 'new@example.com' },
    ]);
    expect(await historyOf(stage, '--since', changed?.at ?? '')).toEqual([changed]);
    const text = await stage.type('history', '--person', 'ann');
    expect(text.out.split('\n').slice(-6)).toEqual([
      expect.stringMatching(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}~ update person ann \(1\) {2}changed in the source {2}\[[\d-]+-\w{4}\]$/u,
      ),
      '    name "Ann" → "Anna"',
      '    email "ann@example.com" → "new@example.com"',
      '',
      '2 changes',
      '',
    ]);
    db.close();
  });

  test('calls people by name, and units by theirs alone, where ids tell a reader nothing', async () => {
    const id = '6ba7b810-9dad-11d1-80b4-00c04fd430c';
    const stage = await openStage();
    stage.hr(
      `update employee set emp_no = '${id}' || emp_no; update department set id = '${id}' || substr(id, 2)`,
    );
    stage.hr(`update department set parent_id = '${id}' || substr(parent_id, 2);
      update assignment set emp_no = '${id}' || emp_no, dept_id = '${id}' || substr(dept_id, 2)`);
    await stage.type('sync');
    const { out } = await stage.type('history');
    expect(out).not.toContain(id);
    expect(out).toMatch(/\+ create person ann \(Ann\) {2}/u);
    expect(out).toMatch(/\+ create unit Sales {2}/u);
  });

  test('finds a person by id, a unit by name, and nothing since now', async () => {
    const stage = await loadedStage();
    expect((await historyOf(stage, '--person', '1')).map(({ name }) => name)).toEqual(['ann']);
    expect((await historyOf(stage, '--unit', 'sales')).map(({ id }) => id)).toEqual(['d3']);
    expect(await historyOf(stage, '--since', '0h')).toEqual([]);
  });

  test('a new unit had no parent before, and a removed one has none after', async () => {
    const stage = await loadedStage();
    const head = String.raw`"Company / "Head""`;
    const created = await stage.type('history', '--unit', 'd3');
    expect(created.out).toContain(`    parent (none) → ${head}\n`);
    const gone = [{ field: 'parent', from: 'd1', to: null }];
    const words = { names: new Map([['d1', 'Company']]), zone: 'UTC' };
    expect(changeTexts(gone, { ...words, kind: 'remove' })).toEqual(['parent "Company" → (none)']);
    expect(changeTexts(gone, { ...words, kind: 'move' })).toEqual(['parent "Company" → the root']);
  });

  test('shows hostile names as escapes', async () => {
    const stage = await openStage();
    stage.hr(`update employee set full_name = '=1+1' || char(27) || '[31m"' where emp_no = '1'`);
    await stage.type('sync');
    const { out } = await stage.type('history', '--person', 'ann');
    expect(out).toContain(String.raw`"=1+1\x1b[31m""`);
  });

  test.each([
    [['--person', 'nobody'], 'history: "nobody" is not known. A person is named by username or source id'],
    [['--unit', 'ann'], 'history: "ann" is not known. A unit is named by source id, name or serial number'],
    [['--since', 'soon'], 'history: --since "soon" is no time: write a day (2026-11-01)'],
    [['--person', 'a', '--unit', 'b'], 'history: --person and --unit exclude each other'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const stage = await loadedStage();
    const { code, out, err } = await stage.type('history', ...args);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(sentence)]);
  });

  test('is empty before the first run', async () => {
    const stage = await openStage();
    expect(await historyOf(stage)).toEqual([]);
    expect((await stage.type('history')).out).toBe(
      'no run has been recorded yet in state/rollcall.db: there is no history\n',
    );
    expect(await stage.type('history', '--person', 'ann')).toMatchObject({ code: 2, out: '' });
  });
});

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('--since', () => {
  test.each([
    ['2026-11-01', '2026-11-01T00:00:00Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00Z'],
    ['2026-11-01 08:30:15', '2026-11-01T08:30:15Z'],
    ['2026-11-01T08:30:15.123Z', '2026-11-01T08:30:15.123Z'],
    ['2026-11-01T08:30+02:00', '2026-11-01T06:30:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['7d', '2026-11-13T12:00:00Z'],
    ['12h', '2026-11-20T00:00:00Z'],
    ['10m', '2026-11-20T11:50:00Z'],
  ])('%s is %s', (text, time) => {
    expect(sinceOf(text, NOW)).toBe(Date.parse(time));
  });

  test.each([
    '',
    'yesterday',
    '7',
    '7w',
    '-7d',
    '2026-13-01',
    '2026-02-30',
    '2026-11-1',
    '2026-11-01T25:00',
    '1e3d',
  ])('"%s" is no time', (text) => {
    expect(() => sinceOf(text, NOW)).toThrow(ConfigError);
  });
});
