import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConsole, TOKENS } from './approve-stage.ts';

const REUSED = `update employee set emp_no = '9', full_name = 'Anna Other' where login = 'ann';
  update assignment set emp_no = '9' where emp_no = '1'`;

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
});
