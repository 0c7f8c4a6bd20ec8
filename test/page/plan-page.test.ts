import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PlannedChange } from '../../src/plan/words/describe-plan.ts';
import { planPage } from '../../src/page/plan-page.ts';
import type { PageData } from '../../src/page/wire.ts';
import { at, personChange, treeOf, unit, unitChange } from '../plan/build.ts';
import { EVIL, HELD, manyChanges, MIXED, pageOf, partsOf, type Company } from './companies.ts';

const block = (page: string, open: string): string => {
  const from = page.indexOf(open) + open.length;
  return page.slice(from, page.indexOf('</', from));
};

const dataOf = (company: Company): PageData =>
  JSON.parse(block(pageOf(company), '<script type="application/json" id="data">')) as PageData;

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const markupOf = (page: string): string => page.slice(0, page.indexOf('<script type="application/json"'));

const gone = (id: string, parent: string): Company['changes'][number] =>
  unitChange(id, { kind: 'remove', payload: { fields: {}, parent } });

describe('the data of the page', () => {
  test('has every kind of change, at its unit or that of the primary position', () => {
    const { changes, places, kinds } = dataOf(MIXED);
    const lines = changes
      .slice(0, 14)
      .map(
        ({ subject, kind, held, name, place, why }) =>
          `${subject} ${kind}${held ? ' held' : ''} ${name} at ${places[place]}: ${why}`,
      );
    expect(lines).toMatchInlineSnapshot(`
      [
        "unit create Robotics 机器人 at 研发中心 Research & Development › Robotics 机器人: ",
        "unit update 华南 South China at 营销中心 Sales & Marketing › 华东 East China: changed in the source",
        "unit move Backend at 研发中心 Research & Development › Cloud Platform 云平台 › Backend: moved in the source",
        "unit remove Events at 营销中心 Sales & Marketing › Events: missing in the source",
        "unit adopt 总裁办 Executive Office at 总裁办 Executive Office: same serial number",
        "person create Nora Lindqvist at Robotics 机器人: ",
        "person create Root Person at Directly at the service’s root: ",
        "person enable Paul O’Neil at 营销中心 Sales & Marketing › 华东 East China: active in the source again",
        "person update Ibrahim Çelik at 研发中心 Research & Development › Cloud Platform 云平台 › Backend: follows the move of Backend",
        "person remove Gone Gustav at Events: missing in the source",
        "person adopt Adopted Ada at 总裁办 Executive Office: same username",
        "person adopt held Mia Wolf at 财务部 Finance: comes with a username that is known under another id",
        "person forget Forgotten Finn at 人力资源部 People & Culture: vanished from the service",
        "person disable Nowhere Nils at Without a unit: inactive in the source",
      ]
    `);
    expect(Object.entries(kinds).map(([kind, { sign }]) => `${sign} ${kind}`)).toEqual([
      '+ create',
      '~ update',
      '> move',
      '− remove',
      '= adopt',
      '− disable',
      '+ enable',
      '? forget',
    ]);
  });

  test('has a person once, at the unit of the primary position', () => {
    const positions = [at('a'), at('b', { primary: true }), at(null)];
    const { changes, places } = dataOf({
      tree: treeOf([unit('a'), unit('b', 'a')]),
      changes: [personChange('1', { payload: { fields: {}, positions } })],
    });
    expect(changes.map(({ place }) => places[place])).toEqual(['a › b']);
  });

  test('has each field old and new, with units by name, and what a new account is made with', () => {
    const { changes } = dataOf(MIXED);
    const fieldsOf = (id: string): unknown => changes.find((one) => one.id === id)?.fields;
    expect(fieldsOf('E4')).toEqual([
      ['positions', ['Embedded Software job_title=Engineer primary'], ['Backend job_title=Lead primary']],
      ['mobile', null, '+49 170 5550199'],
      ['label', 'remote', ''],
    ]);
    expect(fieldsOf('D131')).toEqual([['parent', 'Embedded Software', 'Cloud Platform 云平台']]);
    expect(fieldsOf('E1')).toEqual([
      ['email', null, 'E1@example.com'],
      ['positions', null, ['Robotics 机器人 primary']],
    ]);
  });

  test('shows what a write loses', () => {
    const { changes } = dataOf({
      changes: [true, false].map((certain) =>
        personChange('2', {
          kind: 'update',
          why: { code: 'words', values: { words: 'x' } },
          loses: { fields: ['tel'], certain },
        }),
      ),
    });
    expect(changes.map(({ why }) => why)).toMatchInlineSnapshot(`
      [
        "x; loses tel, not mapped and not to be sent back as shown",
        "x; loses tel, not mapped and not to be sent back as shown, if the service clears what an import leaves out",
      ]
    `);
  });

  test('never has a secret: only that it changed', () => {
    const fields = [{ field: 'secrets', from: 'hunter1', to: 'hunter2' }];
    const page = pageOf({ changes: [personChange('1', { kind: 'update', fields })] });
    expect(page).not.toMatch(/hunter/u);
    expect(page).toContain('[["secrets",null,"changed"]]');
  });

  test('names a few of very many positions, and cuts long values', () => {
    const positions = Array.from({ length: 30 }, (_, n) => at(`u${n}`));
    const payload = { fields: { name: 'x'.repeat(1_000_000) }, positions };
    const [person] = dataOf({ changes: [personChange('1', { payload })] }).changes;
    const [, , to] = person?.fields.at(-1) ?? [];
    expect([to?.length, to?.at(-1)]).toEqual([21, '… and 10 more']);
    expect(person?.name).toMatch(/^x{200}… \(1,000,000 characters\)$/u);
  });

  test('keeps units whose parent nobody knows, or that stand above each other', () => {
    const { changes, places } = dataOf({ changes: [gone('a', 'b'), gone('b', 'a'), gone('c', 'lost')] });
    expect(changes.map(({ id, place }) => [id, places[place]?.split(' › ').length])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 2],
    ]);
  });

  test('comes in small pieces, one change at a time', () => {
    const { changes, tree = treeOf([]) } = manyChanges(5_000);
    let [passes, read] = [0, 0];
    // First the tree of units counts all changes, and keeps none.
    function* counted(): Generator<PlannedChange> {
      passes += 1;
      for (const change of changes) {
        read += passes - 1;
        yield { change, isHeld: false, hashes: [] };
      }
    }
    let [pieces, ahead, longest] = [0, 0, 0];
    for (const text of planPage({ ...partsOf({ changes, tree }), changes: counted })) {
      pieces += 1;
      ahead = Math.max(ahead, read - pieces);
      longest = Math.max(longest, text.length);
    }
    expect([read, ahead <= 0, longest < 40_000]).toEqual([5_000, true, true]);
  });
});

describe('the page', () => {
  test('lets in its own script and style alone, by their hashes, and names nothing to load', () => {
    const page = pageOf(MIXED);
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="(.*?)"/u.exec(page) ?? [];
    const script = sha256(block(page, '<script type="module">'));
    const style = sha256(block(page, '<style>'));
    expect(policy.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; script-src ${script}; style-src ${style}; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(
      /https?:|\b(?:src|href|action|style|on\w+)=|@import|url\(|innerHTML|sourceMapping/u,
    );
  });

  test.each<readonly [string, Company]>([
    ['what is held and why', MIXED],
    [
      'another source, before which nothing is planned',
      { changes: [], held: [{ ...HELD, guard: 'source', about: 'another server', first: [] }] },
    ],
    ['nothing to do', { changes: [] }],
  ])('says without its script: %s', async (name, company) => {
    const text = markupOf(pageOf(company))
      .replaceAll(/<style>[^]*?<\/style>|<(?!\/?(?:p|tr|li|h\d|dt|section)\b)[^>]*>/gu, ' ')
      .replaceAll(/(?:\s*<[^>]*>\s*)+/gu, '\n')
      .replaceAll(/ +/gu, ' ');
    await expect(text).toMatchFileSnapshot(`screens/${name.replaceAll(/\W+/gu, '-')}.txt`);
  });

  test('has hostile names in its text alone, and marks of direction as escapes', () => {
    const page = pageOf(EVIL);
    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page.match(/<\/script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--|<b>/u);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const person = dataOf(EVIL).changes.find(({ subject }) => subject === 'person');
    expect(person?.name).toBe(String.raw`</script><script>alert(1)</script>\u202eevil`);
  });
});

test('lists the first changes alone where more would be too many, and says so', () => {
  const parts = { ...partsOf(manyChanges(300)), atMost: 100 };
  const page = [...planPage(parts)].join('');
  expect(page).toMatch(/<p>Of 300 changes, .* 100 /u);
  expect(page.match(/"subject":"person"/gu)).toHaveLength(100);
  expect(pageOf(manyChanges(300))).not.toContain('<p>Of 300');
});
