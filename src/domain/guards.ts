/**
 * Limit of a guard, which trips strictly above the larger of the two. Percent are of the managed and active records
 * of its kind; 100 switches the guard off.
 */
export interface GuardLimit {
  readonly percent: number;
  readonly count: number;
}

interface Traits {
  /** Its limit if the configuration has none; `null`: it always holds, and is no setting. */
  readonly limit: string | null;
  /** What it counts. */
  readonly counts: string;
  /** Its name in the plan and in messages. */
  readonly title: { readonly en: string; readonly zh: string };
  /** What so many of them would do, after "12 of 40 people"; `null`: a sentence of its own. */
  readonly would: string | null;
  /** Whether its changes may follow from another query, filter or mapping. */
  readonly isOfSource: boolean;
}

/** Each guard, in the order in which they are asked. */
export const GUARDS = {
  leavers: {
    limit: '5 % or 5',
    counts: 'People who would be disabled or removed.',
    title: { en: 'Leavers', zh: '离职人员' },
    would: 'would leave',
    isOfSource: true,
  },
  joiners: {
    limit: '30 % or 20',
    counts: 'People who would be created or enabled; not on the first load.',
    title: { en: 'Joiners', zh: '入职人员' },
    would: null,
    isOfSource: true,
  },
  updates: {
    limit: '30 % or 20',
    counts: 'People or units whose fields or places would change.',
    title: { en: 'Updates', zh: '更新' },
    would: 'would change',
    isOfSource: true,
  },
  emptied: {
    limit: '30 % or 5',
    counts: 'People for whom one field, one property or all positions would turn empty.',
    title: { en: 'Emptied fields', zh: '将被清空的字段' },
    would: null,
    isOfSource: true,
  },
  unexplained: {
    limit: '1',
    counts: 'People who come, go or move, though their own record does not explain it.',
    title: { en: 'Unexplained changes', zh: '记录本身无法解释的变更' },
    would: null,
    isOfSource: false,
  },
  unitsRemoved: {
    limit: '5 % or 3',
    counts: 'Units that would be removed.',
    title: { en: 'Removed units', zh: '将被删除的部门' },
    would: 'would be removed',
    isOfSource: true,
  },
  unitsMoved: {
    limit: '20 % or 5',
    counts: 'Units that would move.',
    title: { en: 'Moved units', zh: '将被移动的部门' },
    would: 'would move',
    isOfSource: true,
  },
  gone: {
    limit: '5 % or 5',
    counts: 'Managed records that vanished from the service.',
    title: { en: 'Vanished from the service', zh: '服务中已消失的记录' },
    would: 'vanished from the service',
    isOfSource: false,
  },
  adopted: {
    limit: '5 % or 5',
    counts: 'Accounts and units that others made, if something shown would change.',
    title: { en: 'Adopted accounts and units', zh: '服务中原有的账号' },
    would: null,
    isOfSource: true,
  },
  lost: {
    limit: null,
    counts: 'Values that rollcall does not map and that a write would clear.',
    title: { en: 'Values that would be lost', zh: '写入后会丢失的字段' },
    would: null,
    isOfSource: false,
  },
  source: {
    limit: null,
    counts: 'Another server or database, another rule for ids, or another sync.root.',
    title: { en: 'Another source', zh: '数据源已更换' },
    would: null,
    isOfSource: false,
  },
  usernameReuse: {
    limit: null,
    counts: 'Records of which it is unclear whose account it is.',
    title: { en: 'Usernames used again', zh: '被他人使用的用户名' },
    would: null,
    isOfSource: true,
  },
} as const satisfies Readonly<Record<string, Traits>>;

export type Guard = keyof typeof GUARDS;

/** Guards whose limit is a setting. */
export type LimitedGuard = {
  [G in Guard]: (typeof GUARDS)[G]['limit'] extends string ? G : never;
}[Guard];

export const GUARD_NAMES = Object.keys(GUARDS) as readonly Guard[];
export const LIMITED_GUARDS = GUARD_NAMES.filter(
  (guard): guard is LimitedGuard => GUARDS[guard].limit !== null,
);

export type GuardLimits = Readonly<Record<Guard, GuardLimit>>;

const LIMIT = /^(?:(?<percent>\d{1,2}(?:\.\d+)?|100) ?%(?: or (?<most>\d+))?|(?<count>\d+))$/u;

/**
 * Returns the limit that a text such as `5 % or 5`, `5 %`, `5` or `off` names; what it does not name is 0. `null`: it
 * is no limit.
 */
export function guardLimit(text: string): GuardLimit | null {
  const { percent, most, count } = LIMIT.exec(text === 'off' ? '100 %' : text)?.groups ?? {};
  if (percent === undefined && count === undefined) return null;
  return { percent: Number(percent ?? 0), count: Number(most ?? count ?? 0) };
}
