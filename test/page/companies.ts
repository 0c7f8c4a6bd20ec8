import type { Change, Held, Plan } from '../../src/domain/changes.ts';
import { ofUnit } from '../../src/domain/reasons/reason.ts';
import { planPage, type PageInput } from '../../src/page/plan-page.ts';
import { HrDatabase } from '../../src/demo/hr.ts';
import { at, personChange, SYNC, treeOf, unit, unitChange } from '../plan/build.ts';
import { planOf } from '../plan/plan-of.ts';

const DEPARTMENTS = new HrDatabase(':memory:')
  .texts("select id || '|' || coalesce(parent_id, '') || '|' || name from department")
  .map((row) => {
    const [id = '', parent = '', name = ''] = row.split('|');
    return { id, parent: parent === '' ? null : parent, name };
  });

export const MADE_AT = Date.UTC(2026, 10, 23, 6, 0);

export interface Company extends Partial<Plan> {
  readonly changes: readonly Change[];
  readonly tree?: ReturnType<typeof treeOf>;
  /** Ids of records whose change a guard holds. */
  readonly heldIds?: readonly string[];
}

export function partsOf({ changes, tree = treeOf([]), heldIds = [], ...plan }: Company): PageInput {
  return {
    plan: planOf(changes, { tree, ...plan }),
    tree,
    changes: () =>
      changes.map((change) => {
        const isHeld = heldIds.includes(change.id);
        const held = plan.held?.filter(({ guard }) => isHeld && guard === change.guard) ?? [];
        return { change, isHeld, hashes: held.map(({ hash }) => hash) };
      }),
    leavers: SYNC.leavers,
    about: 'example/acme',
    madeAt: MADE_AT,
  };
}

export function pageOf(company: Company): string {
  return [...planPage(partsOf(company))].join('');
}

const FIRST_NAMES = ['Ann', 'Björn', 'Chen', 'Dana', 'Emil', 'Fatima', 'Guo', 'Hanna', 'Igor', 'Jürgen'];
const LAST_NAMES = ['Adler', 'Brandt', 'Castro', '王', 'Diaz', 'Eriksson', 'Fischer', '李', 'Gruber', 'Haas'];

const nameOf = (n: number): string =>
  `${FIRST_NAMES[n % 10] ?? ''} ${LAST_NAMES[Math.floor(n / 10) % 10] ?? ''}`;

/** A change of one of many people: of the commonest kinds, with the fields that they usually have. */
function manyth(n: number): Change {
  const department = DEPARTMENTS[(n * 7) % DEPARTMENTS.length]?.id ?? null;
  const id = `E${100_000 + n}`;
  const fields = { name: nameOf(n), email: `u${n}@example.com`, mobile: `+49 170 ${1_000_000 + n}` };
  const payload = { fields, positions: [at(department, { job_title: 'Engineer', primary: true })] };
  const base = { username: `u${n}`, payload, employeeId: `${900 + n}`, guard: null };
  if (n % 10 < 3) return personChange(id, base);
  if (n % 10 === 9) return personChange(id, { ...base, kind: 'disable', why: { code: 'missing' } });
  return personChange(id, {
    ...base,
    kind: 'update',
    why: { code: 'changed' },
    fields: [
      { field: 'email', from: `old${n}@example.com`, to: fields.email },
      {
        field: 'positions',
        from: [`${department} job_title=Trainee primary`],
        to: [`${department} job_title=Engineer primary`],
      },
    ],
  });
}

const COMPANY = treeOf(DEPARTMENTS.map(({ id, parent, name }) => unit(id, parent, { name })));

/** The demo's company, in which so many people change. */
export function manyChanges(people: number): Company {
  return { tree: COMPANY, changes: Array.from({ length: people }, (_, n) => manyth(n)) };
}

export const HELD: Held = {
  guard: 'leavers',
  hash: '7d1f0c2a9b3e',
  count: 12,
  limit: 5,
  first: Array.from(
    { length: 10 },
    (_, n) =>
      `${nameOf(n * 3)
        .split(' ')[0]
        ?.toLowerCase()}.${n} (E20${n})`,
  ),
  about: '12 of 96 people would leave, 2 more in the last 24 hours',
  cause: '11 of the 12 were in <Sales>, which is gone as well; none of the 84 others was',
};

const person = (id: string, unitId: string | null, name: string): ReturnType<typeof personChange> =>
  personChange(id, {
    username: name.toLowerCase().replaceAll(/[^\p{L}]+/gu, '.'),
    payload: { fields: { name, email: `${id}@example.com` }, positions: [at(unitId, { primary: true })] },
  });

const LEAVERS = Array.from({ length: 12 }, (_, n) => ({
  ...person(`E20${n}`, 'D34', nameOf(n * 3)),
  kind: 'disable' as const,
  guard: 'leavers' as const,
  why: { code: 'missing' as const },
}));

/** Every kind of change of units and people, something held, and records that are left out. */
export const MIXED: Company = {
  tree: COMPANY,
  hash: 'c41a77e02f19',
  calls: 48,
  estimatedSeconds: 14,
  held: [
    HELD,
    {
      guard: 'usernameReuse',
      hash: '0b52aa91c7de',
      count: 1,
      limit: 0,
      first: ['mia.wolf (E777)'],
      about:
        '1 person comes with a username that is known under another id: approve only what is the same person',
      cause: null,
    },
  ],
  heldIds: [...LEAVERS.map(({ id }) => id), 'E777'],
  blocked: [
    ...Array.from({ length: 5 }, (_, n) => ({
      subject: 'person' as const,
      id: `E9${n}`,
      label: `twin${n}`,
      reason: `several records share the username twin${n}: give each its own in the source`,
    })),
    { subject: 'unit', id: 'X1', label: 'Lost Unit', reason: 'its parent "D99" is no unit of the source' },
  ],
  waiting: [
    {
      misses: 1,
      missedAt: 0,
      count: 2,
      first: [
        { id: 'E61', username: 'zoe' },
        { id: 'E62', username: 'yan' },
      ],
    },
  ],
  changes: [
    unitChange('D14', {
      name: 'Robotics 机器人',
      payload: { fields: { name: 'Robotics 机器人' }, parent: 'D1' },
    }),
    unitChange('D31', {
      kind: 'update',
      name: '华南 South China',
      why: { code: 'changed' },
      fields: [{ field: 'name', from: 'South', to: '华南 South China' }],
    }),
    unitChange('D131', {
      kind: 'move',
      name: 'Backend',
      why: { code: 'moved' },
      fields: [{ field: 'parent', from: 'D12', to: 'D13' }],
    }),
    unitChange('D35', {
      kind: 'remove',
      name: 'Events',
      payload: { fields: { name: 'Events' }, parent: 'D3' },
      why: { code: 'missing' },
    }),
    unitChange('D6', {
      kind: 'adopt',
      name: '总裁办 Executive Office',
      why: { code: 'words', values: { words: 'same serial number' } },
    }),
    person('E1', 'D14', 'Nora Lindqvist'),
    person('E2', null, 'Root Person'),
    { ...person('E3', 'D31', 'Paul O’Neil'), kind: 'enable', why: { code: 'activeAgain' } },
    {
      ...person('E4', 'D131', 'Ibrahim Çelik'),
      kind: 'update',
      why: ofUnit('followsMove', 'D131'),
      cause: 'D131',
      fields: [
        { field: 'positions', from: ['D12 job_title=Engineer primary'], to: ['D131 job_title=Lead primary'] },
        { field: 'mobile', from: null, to: '+49 170 5550199' },
        { field: 'label', from: 'remote', to: '' },
      ],
    },
    {
      ...person('E5', 'D35', 'Gone Gustav'),
      kind: 'remove',
      why: { code: 'missing' },
    },
    {
      ...person('E6', 'D6', 'Adopted Ada'),
      kind: 'adopt',
      why: { code: 'words', values: { words: 'same username' } },
      fields: [{ field: 'email', from: 'ada@old.example.com', to: 'E6@example.com' }],
    },
    {
      ...person('E777', 'D4', 'Mia Wolf'),
      kind: 'adopt',
      guard: 'usernameReuse',
      why: { code: 'words', values: { words: 'comes with a username that is known under another id' } },
      fields: [
        { field: 'id', from: 'E776', to: 'E777' },
        { field: 'name', from: 'Mia Klein', to: 'Mia Wolf' },
      ],
    },
    { ...person('E8', 'D5', 'Forgotten Finn'), kind: 'forget', why: { code: 'vanished' } },
    {
      ...person('E10', null, 'Nowhere Nils'),
      payload: { fields: { name: 'Nowhere Nils' }, positions: [] },
      kind: 'disable',
      why: { code: 'inactive' },
    },
    ...LEAVERS,
  ],
};

const HOSTILE = '</script><script>alert(1)</script>\u202Eevil';
const IMAGE = '"><img src=x onerror=alert(2)>\u2028<!--\u0000<b>';

/** Names and values that try to become a part of the page, wherever the page has names or values. */
export const EVIL: Company = {
  hash: IMAGE,
  tree: treeOf([unit('u', null, { name: HOSTILE })]),
  held: [{ ...HELD, hash: IMAGE, first: [HOSTILE, IMAGE], about: IMAGE }],
  blocked: [{ subject: 'person', id: IMAGE, label: HOSTILE, reason: IMAGE }],
  heldIds: [IMAGE],
  changes: [
    unitChange('v', {
      kind: 'move',
      name: IMAGE,
      why: { code: 'words', values: { words: HOSTILE } },
      payload: { fields: { name: IMAGE }, parent: 'u' },
      fields: [{ field: 'parent', from: 'u', to: IMAGE }],
    }),
    personChange(IMAGE, {
      kind: 'update',
      username: IMAGE,
      why: { code: 'words', values: { words: IMAGE } },
      payload: { fields: { name: HOSTILE }, positions: [at('u', { primary: true })] },
      fields: [
        { field: IMAGE, from: HOSTILE, to: IMAGE },
        { field: 'positions', from: [`u job_title=${IMAGE}`], to: [`${IMAGE} primary`] },
      ],
    }),
  ],
};
