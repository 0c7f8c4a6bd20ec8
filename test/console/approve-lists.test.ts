import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change, Held } from '../../src/domain/changes.ts';
import { openConsole, TOKENS } from './approve-stage.ts';

interface PlanJson {
  readonly held: readonly Held[];
  readonly changes: readonly (Change & { readonly approve: readonly string[] })[];
}

const REUSED = `update employee set emp_no = '9', full_name = 'Anna Other' where login = 'ann';
  update assignment set emp_no = '9' where emp_no = '1'`;

/** Somebody gets a name and loses a mail address, one moves, one leaves, one joins; a unit is renamed. */
const EDITS = `update employee set email = null, full_name = 'Anna' where emp_no = '1';
  update employee set full_name = 'Robert' where emp_no = '2';
  update assignment set dept_id = 'd1' where emp_no = '2';
  update department set name = 'Selling' where id = 'd3';
  update employee set status = 'left' where emp_no = '4';
  insert into employee values ('5', 'kim', 'Kim', 'kim@example.com', 'active');
  insert into assignment values ('5', 'd1', 'Dev', 1)`;

describe('what an approver looks at in the console', { timeout: 180_000 }, () => {
  test('has both sides of a username that comes again, and of another source, as the terminal has', async () => {
    const { stage, signIn, get, run, reload } = await openConsole();
    const lin = await signIn(TOKENS.lin);
    const [reuse = ''] = await run(REUSED);
    const both = '"Ann" (1) → "Anna Other" (9)';
    expect((await stage.type('plan', '--all')).out).toContain(both);
    expect((await get(`/approve?hash=${reuse}`, lin)).text).toContain(both);
    copyFileSync(join(stage.folder, 'hr.db'), join(stage.folder, 'other.db'));
    await reload('sqlite:hr.db', 'sqlite:other.db');
    const [source = ''] = await run('');
    const change = 'another source: its files, server or database was hr.db and is other.db now';
    expect((await stage.type('plan', '--all')).out).toContain(change);
    const { text } = await get(`/approve?hash=${source}`, lin);
    expect(text).toContain(change);
    expect(text).toContain('Release the change of the source');
  });

  test('names what would be lost, as the terminal does', async () => {
    const { stage, signIn, get, run } = await openConsole({ readings: ['masked', 'absent=clear'] });
    stage.sandbox.edit.changeEmployee('bob', { mobile: '13812340000' });
    const [hash = ''] = await run(`update employee set full_name = 'Robert' where login = 'bob'`);
    const loss =
      'loses mobile, not mapped and not to be sent back as shown, if the service clears what an import';
    expect((await stage.type('plan', '--all')).out).toContain(loss);
    const { text } = await get(`/approve?hash=${hash}`, await signIn(TOKENS.lin));
    expect(text).toContain(loss);
    expect(text).toContain('name: Bob → Robert');
    expect(text).not.toContain('13812340000');
  });

  test('is under each hash what plan --json and plan --all have, record by record, field by field', async () => {
    const guard = 'guard: { leavers: 0, updates: 0, joiners: 0, emptied: 0 }';
    const { stage, signIn, get, run } = await openConsole({ sync: guard });
    const lin = await signIn(TOKENS.lin);
    const hashes = await run(EDITS);
    const { held, changes } = JSON.parse((await stage.type('plan', '--json')).out) as PlanJson;
    const terminal = (await stage.type('plan', '--all')).out;
    expect(held.map(({ hash }) => hash).toSorted()).toEqual(hashes.toSorted());
    expect(held.map(({ guard: name }) => name).toSorted()).toEqual([
      'emptied',
      'joiners',
      'leavers',
      'updates',
      'updates',
    ]);
    const compared: string[] = [];
    for (const { hash } of held) {
      const { html } = await get(`/approve?hash=${hash}`, lin);
      const released = changes.filter(({ approve }) => approve.includes(hash));
      const records = released.map(({ subject, id }) => `${subject} ${id}`);
      expect(recordsOf(html).toSorted()).toEqual(records.toSorted());
      for (const change of released.filter(({ kind }) => kind !== 'create')) {
        const shown = fieldsOf(html, change);
        expect(shown.map(([field]) => field)).toEqual(change.fields.map(({ field }) => field));
        const line = terminal.split('\n').find((one) => one.includes(nameOf(change)) && one.includes(hash));
        const unlike = shown.filter((one, n) => !isSame(one, change.fields[n], line));
        expect([unlike, line]).toEqual([[], expect.any(String)]);
        compared.push(...shown.map(([field]) => `${change.subject} ${field}`));
      }
    }
    const all = ['email', 'name', 'positions'].map((field) => `person ${field}`);
    expect([...new Set(compared)].toSorted()).toEqual([...all, 'unit name']);
  });
});

const nameOf = (change: Change): string =>
  change.subject === 'person' ? ` ${change.username} (` : 'Selling';

/** Returns whether a field on the page is that of `plan --json` and of the line of `plan --all`. */
function isSame(
  [field, from = '', to = '']: readonly string[],
  json: Change['fields'][number] | undefined,
  line = '',
): boolean {
  if (json === undefined) return false;
  if (field === 'positions') return line.includes(`positions ${from} → ${to}`);
  // Mail addresses are shown on the terminal alone.
  if (field === 'email')
    return (json.from === null) === (from === 'nothing') && (json.to === null) === (to === 'nothing');
  return json.from === from && json.to === to && line.includes(`${field} "${from}" → "${to}"`);
}

const recordsOf = (html: string): readonly string[] =>
  [...html.matchAll(/class="sign[^>]*>.*?name=(\w+)%3A(\w+)"/gu)].map((m) => `${m[1]} ${m[2]}`);

const fieldsOf = (html: string, { subject, id }: Change): readonly (readonly string[])[] => {
  const [, item = ''] = new RegExp(`name=${subject}%3A${id}"([^]*?)</ul>`, 'u').exec(html) ?? [];
  return [...item.matchAll(/<li><bdi>(.*?)<\/bdi>/gu)].map(([, text = '']) =>
    text.replaceAll('&quot;', '"').split(/: | → /u),
  );
};
