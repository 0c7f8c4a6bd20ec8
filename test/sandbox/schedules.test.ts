import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { jsonBody, open, read, type Reply, type Wire } from './wire-client.ts';

const PATH = '/v1/apps/schedules';
const DAY = 86_400_000;
const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 10, 23, 9, 30);

const COMMON = {
  summary: 'Stand-up',
  repeat_type: 'daily',
  full_time: false,
  begin_time: MONDAY,
  end_time: MONDAY + HOUR,
  reminder: { remind: true, remind_before_seconds: 300 },
};

interface Scene extends Wire {
  readonly create: (more?: object) => Promise<Reply>;
  readonly update: (id: string, more?: object) => Promise<Reply>;
  readonly send: (path: string, body: object) => Promise<Reply>;
}

async function scene(options: SandboxOptions = {}): Promise<Scene> {
  const wire = await open(options);
  const { sandbox } = wire;
  await wire.people(sandbox.rootId, 'ann', 'bob', 'cleo');
  const send = async (path: string, body: object): Promise<Reply> => {
    const url = `${sandbox.baseUrl}${path}?access_token=${sandbox.appToken}`;
    return read(await fetch(url, { method: 'POST', ...jsonBody(body) }));
  };
  const about = { owner: 'ann', source: 'hr', source_id: '1', source_uid: 'u1' };
  return {
    ...wire,
    send,
    create: (more = {}) => send(PATH, { ...COMMON, ...about, ...more }),
    update: (id, more = {}) =>
      send(`${PATH}/${id}`, { ...COMMON, ops: 'update', schedule_date: MONDAY, ...more }),
  };
}

describe('times', () => {
  test('a full day runs from 00:00 to 23:59, whatever hours are given', async () => {
    const { create } = await scene();
    const { result } = await create({ full_time: true });
    expect([result.begin_time, result.end_time, result.begin_date]).toEqual([0, 2359, 20_261_123]);
  });

  test.each([
    [{ repeat_end_date: MONDAY - DAY }, 'repeat_end_date is before begin_time'],
    [{ end_time: MONDAY - 1 }, 'end_time is before begin_time'],
    [{ owner: 'nobody' }, 'record not found'],
    [{ attendees: ['nobody'] }, 'record not found'],
    [{ end_time: 10_000_000_000_000 }, 'end_time is no time'],
    [{ begin_time: -8_640_000_000_000_001 }, 'begin_time is no time'],
  ])('%j is refused', async (more, words) => {
    const { create, sandbox } = await scene();
    expect((await create(more)).message).toContain(words);
    expect(sandbox.state.schedules()).toEqual([]);
  });
});

test('a schedule is made, changed for one day, and deleted', async () => {
  const { create, update, send, sandbox } = await scene();
  const { result: made } = await create({ attendees: ['bob'] });
  expect(made).toMatchObject({ begin_date: 20_261_123, begin_time: 930, attendees: ['bob'] });
  const change = { summary: 'Late', schedule_date: MONDAY + DAY, update_today_only: true };
  expect((await update(made.schedule_id, change)).result).toMatchObject([
    { id: made.id, summary: 'Stand-up', excludes: [{ begin_date: 20_261_124, end_date: 20_261_124 }] },
    { summary: 'Late', repeat_type: 'none' },
  ]);
  expect((await send(`${PATH}/${made.id}`, { ops: 'delete' })).status).toBe(0);
  expect(sandbox.state.schedules()).toHaveLength(1);
});
