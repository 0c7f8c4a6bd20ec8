import { onTestFinished } from 'vitest';
import { startScim, type Resource } from '../../source/scim/scim-server.ts';
import type { Kitchen } from './company.ts';

const MODIFIED = { lastModified: '2026-01-05T08:00:00Z' };

const user = (id: string, userName: string, displayName: string): Resource => ({
  id,
  userName,
  displayName,
  active: true,
  emails: [{ type: 'work', value: `${id}@example.com` }],
  meta: MODIFIED,
});

const USERS: readonly Resource[] = [
  user('u1', 'ann@example.com', 'Ann Ash'),
  user('u2', 'bob@example.com', 'Bob Birch'),
  { ...user('u3', 'cyd@example.com', ''), name: { formatted: 'Cyd Čapek' } },
  user('u4', 'svc-backup', 'Backup'),
];

const group = (id: string, displayName: string, members: readonly string[]): Resource => ({
  id,
  displayName,
  members: members.map((value) => ({ value, type: 'User' })),
});

/** Everybody is in a group of an application too, which is no department. */
const GROUPS: readonly Resource[] = [
  group('g1', 'dept-Board', ['u1']),
  group('g2', 'dept-Sales', ['u1', 'u2', 'u3']),
  group('g3', 'app-wiki', ['u1', 'u2', 'u3', 'u4']),
];

export const SCIM: Kitchen = {
  recipe: 'scim',
  needs: [],
  async open() {
    const server = await startScim({ Users: USERS, Groups: GROUPS });
    onTestFinished(() => server.close());
    const change = (list: 'Users' | 'Groups', id: string, other: Resource | null) => (): void => {
      const records = server.lists[list] ?? [];
      server.lists = {
        ...server.lists,
        [list]: records.flatMap((one) =>
          one['id'] !== id ? [one] : other === null ? [] : [{ ...one, ...other }],
        ),
      };
    };
    const kept = ['dept-', 'svc-', "split('@')"];
    return {
      fillings: [
        ['https://idp.example.com/scim/v2', server.url],
        ...kept.map((word) => [word, word] as const),
      ],
      secrets: { 'scim-token': 'good-token' },
      loaded: ['ann, Ann Ash: Board + Sales', 'bob, Bob Birch: Sales', 'cyd, Cyd Čapek: Sales'],
      leavings: [
        { what: 'the user is not active', who: 'bob', happens: change('Users', 'u2', { active: false }) },
        { what: 'the user is gone', who: 'cyd', isMissing: true, happens: change('Users', 'u3', null) },
      ],
      change: {
        what: 'somebody leaves a group',
        happens: change('Groups', 'g1', { members: [] }),
        shows: ['ann, Ann Ash: Sales'],
      },
    };
  },
};
