import { describe, expect, test } from 'vitest';
import { open, person } from './wire-client.ts';

describe('Import employees', () => {
  test('a known username, in any case, is updated: absent stays, empty clears, positions are replaced', async () => {
    const { post, org, node, sandbox } = await open();
    const [a, b] = [await node('A'), await node('B')];
    const first = { email: 'e', mobile: 'm', sn: 's', tags: [1], senior: true };
    await post(`${org}/import-employees`, [person('Ann', a, first)]);
    const created = sandbox.state.employee('ann');
    const change = { name: 'New', email: '', tags: [], mobile: '' };
    const { result } = await post(`${org}/import-employees`, [person('ANN', b, change)]);
    const changed = sandbox.state.employee('ann');
    expect(result.successes).toEqual({ ANN: `${created?.id}n` });
    expect(changed).toMatchObject({
      id: created?.id,
      username: 'Ann',
      name: 'New',
      created: created?.created,
    });
    expect(JSON.parse(JSON.stringify(changed?.profile))).toEqual({ sn: 's', senior: true });
    expect(changed?.positions.map(({ orgId }) => orgId)).toEqual([b]);
  });

  test('a locked employee is updated and stays locked', async () => {
    const { post, org, people, sandbox } = await open();
    const { ann } = await people(sandbox.rootId, 'ann');
    await post(`${org}/employees/${ann}/disable`);
    await people(sandbox.rootId, 'ann');
    await post(`${org}/import-employees`, [person('ann', sandbox.rootId, { email: 'new' })]);
    expect(sandbox.state.employee('ann')).toMatchObject({ locked: true, profile: { email: 'new' } });
    expect(sandbox.state.user('ann')?.disabled).toBe(true);
  });

  test('user_id joins the employee to a user that is there', async () => {
    const { post, org, sandbox } = await open();
    const user = sandbox.edit.addUser('ann', 'Ann');
    const wrong = await post(`${org}/import-employees`, [
      person('bob', sandbox.rootId, { user_id: user.id }),
    ]);
    expect(Object.keys(wrong.result.failures)).toEqual(['bob']);
    await post(`${org}/import-employees`, [person('ANN', sandbox.rootId, { user_id: user.id })]);
    expect(sandbox.state.employee('ann')).toMatchObject({ userId: user.id, username: 'ann' });
    expect(sandbox.state.users()).toHaveLength(1);
  });
});

describe('ops REMOVE', () => {
  test('wants the required fields, and somebody to remove', async () => {
    const { post, org, people, sandbox } = await open();
    await people(sandbox.rootId, 'ann');
    const { result } = await post(`${org}/import-employees`, [
      { username: 'ann', ops: 'REMOVE', name: 'Ann' },
      { username: 'Ann', ops: 'REMOVE', positions: [{ org_id: 1 }] },
      person('nobody', sandbox.rootId, { ops: 'REMOVE' }),
    ]);
    expect(result).toEqual({
      successes: {},
      failures: { ann: 'positions is required', Ann: 'name is required', nobody: 'no matching employee' },
    });
    expect(sandbox.state.employees()).toHaveLength(1);
  });
});
