import { describe, expect, test } from 'vitest';
import { OPERATION_NAMES, OPERATIONS } from '../../src/interface/operations.ts';
import type { Operation } from '../../src/interface/terms/operation.ts';
import { ROUTES } from '../../src/sandbox/http/routes.ts';
import { CHANGES_OF_SCHEDULES, rowOfRoute } from '../../src/sandbox/operation/strict.ts';
import { open, person } from './wire-client.ts';

const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}|:\w+/gu, '*');

/** Operations of a route. */
function namesOf(route: string): readonly string[] {
  return route === 'changeSchedule' ? CHANGES_OF_SCHEDULES : [route];
}

describe('the routes, written by hand, and the rows', () => {
  test.each(ROUTES.map((route) => [route.name, route] as const))('%s: method and path', (name, route) => {
    const [row] = namesOf(name).map(rowOfRoute);
    expect(route.method).toBe(row?.method);
    expect([row?.path ?? '', row?.older ?? ''].map(shapeOf)).toContain(shapeOf(route.path));
    expect(route.domain === true).toBe(row?.query['domain_id'] !== undefined);
    expect('application' in route).toBe(row?.identity === 'application');
  });

  test('no operation is missing', () => {
    const rows = new Set(ROUTES.flatMap(({ name }) => namesOf(name)).map(rowOfRoute));
    const missing = OPERATION_NAMES.filter((name) => !rows.has(OPERATIONS[name] as Operation));
    expect(missing).toEqual([]);
  });
});

describe('what the interface does not have', () => {
  test('is refused, and named with its place', async () => {
    const { get, post, org, sandbox } = await open();
    const replies = [
      await get(`${org}/page-orgs`, { limt: '5' }),
      await get(`${org}/page-orgs`, { limit: 'five' }),
      await post(org, { type: 'DEPT', name: 'A', parent_id: sandbox.rootId, owner: 'x' }),
      await post(`${org}/1`, { sort_order: 1 }),
      await post(`${org}/employees/1/disable`, {}),
    ];
    expect(replies.map(({ status, message }) => [status, message])).toEqual([
      [990400, 'query limt is not in the interface'],
      [990400, 'query limit is not a whole number'],
      [990400, 'owner is not in the interface'],
      [990400, 'sort_order is not text'],
      [990400, 'body is not taken'],
    ]);
    expect(sandbox.state.organizations()).toHaveLength(1);
  });

  test('keeps no other record of an import from being taken', async () => {
    const { post, org, sandbox } = await open();
    const people = [person('ann', sandbox.rootId, { nick: 'A' }), person('bob', sandbox.rootId)];
    const { result } = await post(`${org}/import-employees`, people);
    expect(result.failures).toEqual({ ann: 'nick is not in the interface' });
    expect(Object.keys(result.successes)).toEqual(['bob']);
    const nodes = ['A', 'B'].map((name) => ({ type: 'DEPT', name, parent_id: sandbox.rootId }));
    const second = await post(`${org}/import-orgs`, [{ ...nodes[0], sort_order: '1' }, nodes[1]]);
    expect([second.result.failures, Object.keys(second.result.successes)]).toEqual([
      { '/Root/A': 'sort_order is not a whole number' },
      ['/Root/B'],
    ]);
  });

  test('is ignored where the sandbox is lenient', async () => {
    const { get, post, org, sandbox } = await open({ lenient: true });
    expect((await get(`${org}/page-orgs`, { limt: '5' })).status).toBe(0);
    const body = { type: 'DEPT', name: 'A', parent_id: sandbox.rootId, owner: 'x' };
    expect((await post(org, body)).status).toBe(0);
  });
});
