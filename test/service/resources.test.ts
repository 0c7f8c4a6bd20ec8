import { describe, expect, test } from 'vitest';
import { AmbiguousError, RefusedError, ServiceError } from '../../src/domain/errors.ts';
import type { Page } from '../../src/domain/ports/service.ts';
import { outcomesOf } from '../../src/service/resources/employees.ts';
import { answers, worlds, type Answer, type Seen } from './odd-server.ts';

const { ok, raw, no, html } = answers;
const { signal } = new AbortController();

const world = worlds();

async function collect<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>[]> {
  const all: Page<T>[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

const paramsOf = ({ query }: Seen): Record<string, string> => {
  const { access_token: _, ...params } = Object.fromEntries(query);
  return params;
};

const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => ({ user_id: from + n, username: `u${from + n}` }));

const bodies = (...usernames: string[]) =>
  usernames.map((username) => ({ username, fields: {}, positions: [] }));

const verbsOf = (seen: readonly Seen[]) => seen.map(({ path }) => path.split('/').at(-1));

describe('the root', () => {
  test.each([
    ['refused', no(1, 'unknown organization'), 'service-no-root'],
    ['another organization', ok({ id: '1', org_code: 'other', domain_id: 'dom' }), 'service-other-root'],
    ['another domain', ok({ id: '1', org_code: 'acme', domain_id: 'else' }), 'service-other-root'],
    ['null', ok(null), 'service-other-shape'],
    ['a list', ok([]), 'service-other-shape'],
    ['without an id', ok({ name: 'x' }), 'service-other-shape'],
  ])('%s: %s', async (_, answer, problem) => {
    const { service, seen } = await world([answer]);
    await expect(service.root(signal)).rejects.toMatchObject({ code: 'SERVICE', problem });
    expect(seen).toHaveLength(1);
  });

  test('an answer that does not say whose it is is taken', async () => {
    const { service } = await world([ok({ id: 1 })]);
    await expect(service.root(signal)).resolves.toMatchObject({ id: '1' });
  });
});

describe('paged lists', () => {
  test('skip advances by what came, whatever was asked for', async () => {
    const { service, seen } = await world((response, call) => {
      const skip = Number(call.query.get('skip'));
      return ok({ total_count: 7, users: users(skip, Math.min(7, skip + 3)) })(response, call);
    });
    const pages = await collect(service.users(null, signal));
    expect(pages.map(({ skip, records }) => [skip, records.length])).toEqual([
      [0, 3],
      [3, 3],
      [6, 1],
    ]);
    expect(seen.map(paramsOf)).toEqual(['0', '3', '6'].map((skip) => ({ skip, limit: '1000' })));
  });

  test('an empty page before total_count ends the list, and shows that it is not complete', async () => {
    const { service } = await world([
      ok({ total_count: 7, users: users(0, 3) }),
      ok({ total_count: 7, users: [] }),
    ]);
    const pages = await collect(service.users(null, signal));
    expect(pages.map(({ totalCount, records }) => [totalCount, records.length])).toEqual([
      [7, 3],
      [7, 0],
    ]);
  });

  test('what changed since a time is asked for with it', async () => {
    const { service, seen } = await world([ok({ total_count: 0, users: [], records: [] })]);
    await collect(service.users(1_700_000_000_000, signal));
    await collect(service.organizations(1_700_000_000_000, signal));
    const refresh = { refresh_time: '1700000000000', skip: '0', limit: '1000' };
    expect(seen.map(paramsOf)).toEqual([refresh, { domain_id: 'dom', ...refresh }]);
  });

  test.each([
    ['without total_count', { users: [] }],
    ['without a list', { total_count: 1 }],
  ])('a page %s is an error, not an empty one', async (_, result) => {
    const { service } = await world([ok(result)]);
    await expect(collect(service.users(null, signal))).rejects.toBeInstanceOf(ServiceError);
  });
});

describe('one organization', () => {
  test.each([
    ['a refusal', no(208_502)],
    ['a refusal of any code', no(77)],
    ['a refusal with HTTP 404', no(77, 'x', 404)],
    ['null', ok(null)],
    ['no result', raw('{"status":0,"message":"ok"}')],
    ['an empty 404', raw('', 404)],
    ['JSON with 404', raw('{"error":"Not Found"}', 404)],
  ])('%s: there is none', async (_, answer) => {
    const { service } = await world([answer]);
    await expect(service.organization('7', signal)).resolves.toBeNull();
    await expect(service.organizationBySerial('s', signal)).resolves.toBeNull();
  });

  test.each([
    ['an HTML page with 404', html(404), ServiceError],
    ['an envelope with 429', no(208_502, 'x', 429), ServiceError],
    ['an envelope with 503', no(1, 'x', 503), ServiceError],
    ['a refusal with HTTP 500', no(1, 'x', 500), RefusedError],
    [
      'a code with HTTP 500 that the document gives to other calls alone',
      no(208_502, 'x', 500),
      RefusedError,
    ],
    ['another node', ok({ id: '8' }), ServiceError],
  ])('%s does not mean that there is none', async (_, answer, error) => {
    const { service } = await world([answer]);
    await expect(service.organization('7', signal)).rejects.toBeInstanceOf(error);
  });

  test('a node with another serial number is not the one asked for', async () => {
    const { service } = await world([ok({ id: '1', serial_no: 'B' }), ok({ id: '1' })]);
    await expect(service.organizationBySerial('A', signal)).resolves.toBeNull();
    await expect(service.organizationBySerial('A', signal)).resolves.toMatchObject({ id: '1' });
  });

  test('ids and serial numbers stay one segment of the path', async () => {
    const { service, seen } = await world([ok(null)], { orgCode: 'a/b' });
    for (const serial of ['..', '.', 'x/../y', 'a?b#c%']) await service.organizationBySerial(serial, signal);
    expect(seen.map(({ url }) => url.split('?')[0]?.split('/').slice(4).join(' '))).toEqual([
      'a%2Fb serial %2E%2E',
      'a%2Fb serial %2E',
      'a%2Fb serial x%2F..%2Fy',
      'a%2Fb serial a%3Fb%23c%25',
    ]);
  });
});

describe('a look into a node', () => {
  const node = { id: '7', parent_org_id: '1', employees: [], children: [] };

  test.each([
    ['the node itself', [{ ...node, employee_count: 0, all_employee_count: 0 }]],
    ['the root with the node nested', [{ id: '1', children: [{ id: '2' }, node] }]],
    ['a flat list around it', [{ id: '1' }, { id: '2', parent_org_id: '1' }, node]],
  ])('%s: empty', async (_, result) => {
    const { service } = await world([ok(result)]);
    await expect(service.contents('7', signal)).resolves.toEqual({
      children: [],
      employees: [],
      more: false,
    });
  });

  test.each([
    ['nested children', [{ ...node, children: [{ id: 8 }] }], { children: ['8'] }],
    [
      'children beside it',
      [
        { id: '7', employees: [], employee_count: 0 },
        { id: '8', parent_org_id: '7' },
      ],
      { children: ['8'] },
    ],
    [
      'named employees',
      [{ ...node, employees: [{ username: 'ann' }, { name: 'Bob' }] }],
      { employees: ['ann', 'Bob'] },
    ],
    [
      'hidden employees',
      [{ ...node, employees: [{ username: 'ann' }], employee_count: 3 }],
      { employees: ['ann', '(2 more)'] },
    ],
    [
      'employees below whom it does not show',
      [{ ...node, all_employee_count: 4 }],
      { employees: ['(4 more)'] },
    ],
    ['a count alone', [{ id: '7', children: [], employee_count: '2' }], { employees: ['(2 more)'] }],
  ])('%s: not empty', async (_, result, expected) => {
    const { service } = await world([ok(result)]);
    await expect(service.contents('7', signal)).resolves.toMatchObject(expected);
  });

  test('employees below who belong to children are not its own', async () => {
    const { service } = await world([
      ok([{ ...node, children: [{ id: '8' }], employee_count: 0, all_employee_count: 4 }]),
    ]);
    await expect(service.contents('7', signal)).resolves.toEqual({
      children: ['8'],
      employees: [],
      more: false,
    });
  });

  test('children that are left out of the view are asked of the list of all', async () => {
    const { service, seen } = await world([
      ok([{ id: '7', employee_count: 0 }]),
      ok([{ id: '7' }, { id: '8', parent_org_id: '7' }, { id: '9', parent_org_id: '8' }]),
    ]);
    await expect(service.contents('7', signal)).resolves.toMatchObject({ children: ['8'], employees: [] });
    expect(seen.map((call) => [call.path.split('/').at(-1), call.query.get('org_id')])).toEqual([
      ['view', '7'],
      ['list-all', '7'],
    ]);
  });

  test.each([
    ['an empty list', []],
    ['other nodes', [{ id: '8' }]],
    ['neither employees nor counts', [{ id: '7', children: [] }]],
  ])('%s does not tell whether it is empty', async (_, result) => {
    const { service } = await world([ok(result)]);
    await expect(service.contents('7', signal)).rejects.toBeInstanceOf(AmbiguousError);
  });

  test('a full page may not be all', async () => {
    const employees = Array.from({ length: 20 }, (_, n) => ({ username: `u${n}` }));
    const { service } = await world([ok([{ ...node, employees }])]);
    await expect(service.contents('7', signal)).resolves.toMatchObject({ more: true });
  });
});

describe('outcomes of an import', () => {
  test('keys in another case are taken where they can mean only one', () => {
    const maps = {
      successes: [
        ['ann', '1'],
        ['BOB', '2'],
      ],
      failures: [['cid', 'no']],
    } as const;
    expect(outcomesOf(bodies('Ann', 'bob', 'CID', 'dan'), maps)).toEqual([
      { outcome: 'done', value: '1' },
      { outcome: 'done', value: '2' },
      { outcome: 'refused', reason: 'no' },
      { outcome: 'unknown' },
    ]);
  });

  test('two spellings of one name, or one name in both maps: unknown', () => {
    const twoBodies = outcomesOf(bodies('ann', 'Ann'), { successes: [['ANN', '1']], failures: [] });
    const twoKeys = outcomesOf(bodies('Ann'), {
      successes: [
        ['ann', '1'],
        ['ANN', '2'],
      ],
      failures: [],
    });
    const bothMaps = outcomesOf(bodies('ann'), { successes: [['ann', '1']], failures: [['ann', 'no']] });
    expect([...twoBodies, ...twoKeys, ...bothMaps].map(({ outcome }) => outcome)).toEqual(
      Array(4).fill('unknown'),
    );
    const exact = outcomesOf(bodies('ann', 'Ann'), {
      successes: [
        ['ann', '1'],
        ['Ann', '2'],
      ],
      failures: [],
    });
    expect(exact).toEqual([
      { outcome: 'done', value: '1' },
      { outcome: 'done', value: '2' },
    ]);
  });

  test('an import that is done but answers nothing readable is to be read back', async () => {
    const { service } = await world([ok('done')]);
    await expect(service.importEmployees(bodies('ann'), signal)).resolves.toEqual([{ outcome: 'unknown' }]);
    await expect(service.importOrganizations([], signal)).resolves.toEqual({ successes: [], failures: [] });
  });
});

describe('leave and reinstate', () => {
  test.each([
    ['an HTML page with 404', html(404)],
    ['an empty 405', raw('', 405)],
    ['an envelope with HTTP 404', no(1, 'no such path', 404)],
    ['an envelope with status 404', no(404)],
    ['a framework error page', raw('{"status":405,"error":"Method Not Allowed"}', 405)],
  ])('the older ones after %s, remembered', async (_, unknown) => {
    const { service, seen } = await world((response, call) =>
      (call.path.endsWith('able') ? unknown : ok(null))(response, call),
    );
    await service.disableEmployee('7', signal);
    await service.enableEmployee('7', signal);
    expect(verbsOf(seen)).toEqual(['disable', 'lock', 'unlock']);
  });

  test('404 for both means the employee: refused, and nothing is remembered', async () => {
    const { service, seen } = await world([no(1, 'no employee', 404), no(1, 'no employee', 404), ok(null)]);
    await expect(service.disableEmployee('7', signal)).rejects.toThrow(/no employee/);
    await service.disableEmployee('8', signal);
    expect(verbsOf(seen)).toEqual(['disable', 'lock', 'disable']);
  });
});

describe('a service that answers something else than was asked for', () => {
  test('takes no skip: its list ends where a page brings nothing new', async () => {
    const page = { total_count: 100_000, records: [{ id: '1', name: 'Only' }] };
    const { service, seen } = await world(ok(page));
    expect(await collect(service.organizations(null, signal))).toHaveLength(2);
    expect(seen).toHaveLength(2);
  });

  test('lists somebody without a word about positions: they are asked for by id', async () => {
    const list = ok([{ id: '7', username: 'ann' }]);
    const one = ok({ employee_id: { id: '7' }, user: { username: 'ann' }, positions: [{ org_id: '5' }] });
    const { service } = await world((response, request) =>
      (request.path.endsWith('/employees') ? list : one)(response, request),
    );
    const { found } = await service.employees(['ann'], signal);
    expect(found.get('ann')?.positions).toEqual([{ orgId: '5', fields: {} }]);
  });
});

describe('an employee who is asked for by id and refused', () => {
  const NONE = no(990_404, 'record not found');
  const byIdOnly =
    (own: Answer): Answer =>
    (response, seen) =>
      (seen.path.endsWith('/employees/7') ? own : NONE)(response, seen);

  test('as an id that nobody has is none, and that is found out once', async () => {
    const { service, seen } = await world(NONE);
    expect([await service.employee('7', signal), await service.employee('8', signal)]).toEqual([null, null]);
    expect(seen).toHaveLength(3);
  });

  test.each([
    ['there are too many requests', no(990_429, 'too many requests, try again later')],
    ['of an internal error', no(990_500, 'internal error')],
    ['there is no word about it', ok(null)],
  ])('because %s may be there', async (_, own) => {
    const { service } = await world(byIdOnly(own));
    await expect(service.employee('7', signal)).rejects.toThrow(RefusedError);
    await expect(service.employee('8', signal)).resolves.toBeNull();
  });

  test('is asked for again if the question that shows what an unknown id is told has failed', async () => {
    let isDown = true;
    const { service } = await world((response, request) => {
      const isOwn = request.path.endsWith('/employees/7');
      if (isDown && !isOwn) response.destroy();
      else NONE(response, request);
    });
    await expect(service.employee('7', signal)).rejects.toThrow(ServiceError);
    isDown = false;
    await expect(service.employee('7', signal)).resolves.toBeNull();
  });

  test('by an answer that is nothing, as an id that nobody has, is none', async () => {
    const { service } = await world(ok(null));
    expect([await service.employee('7', signal), await service.employee('8', signal)]).toEqual([null, null]);
  });

  test('with the code of the interface is none, whatever an unknown id is told', async () => {
    const { service, seen } = await world(byIdOnly(no(202_012, 'no matching employee')));
    await expect(service.employee('7', signal)).resolves.toBeNull();
    expect(seen).toHaveLength(1);
  });
});

describe('a node that is asked for by id and refused', () => {
  test('as an id that nobody has is none, and that is found out once', async () => {
    const { service, seen } = await world(no(990_404, 'record not found'));
    const asked = [await service.organization('7', signal), await service.organization('8', signal)];
    expect([asked, seen.length]).toEqual([[null, null], 3]);
  });

  test('for another reason may be there', async () => {
    const { service } = await world((response, seen) =>
      (/\b7$/u.test(seen.path) ? no(990_429, 'too many requests') : no(990_404, 'record not found'))(
        response,
        seen,
      ),
    );
    await expect(service.organization('7', signal)).rejects.toThrow(RefusedError);
    await expect(service.organization('8', signal)).resolves.toBeNull();
  });
});
