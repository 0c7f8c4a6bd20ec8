import { counted } from '../domain/text/counted.ts';
import type { Held } from '../domain/changes.ts';
import type { Digest } from '../domain/ports/ledger/ledger-facts.ts';
import { GUARDS, type Guard } from '../domain/guards.ts';
import type { NotifySettings } from '../domain/settings.ts';
import type { Notice } from './notices.ts';

type NoticeOn<On extends Notice['on']> = Extract<Notice, { readonly on: On }>;

/** What approvers are answered. */
interface AnswerTexts {
  readonly stranger: string;
  readonly otherDomain: string;
  readonly nothingHeld: string;
  /** The line above those that say what releases what. */
  readonly howTo: string;
  readonly unknown: (hash: string) => string;
  readonly alreadyReleased: (before: string) => string;
  readonly ownAccount: (hash: string) => string;
  readonly reportOnly: (hash: string) => string;
  readonly accepted: (count: number) => string;
  readonly repeated: string;
  readonly busy: string;
  readonly notHeld: (hash: string) => string;
  readonly released: (hash: string) => string;
  readonly releasedOf: (hash: string, done: number, of: number) => string;
  readonly partlyDone: (hash: string, left: number, of: number) => string;
}

/** The texts of all messages in one language. */
export interface Language {
  readonly guard: (guard: Guard) => string;
  readonly title: { readonly [On in Notice['on']]: (notice: NoticeOn<On>) => string };
  /** One guard: how many changes against which limit. */
  readonly heldLine: (held: Held, guard: string) => string;
  readonly release: (hash: string) => string;
  /** How an approver releases it by an answer. */
  readonly releaseByReply: (hash: string) => string;
  readonly andMore: (count: number) => string;
  readonly failed: (notice: NoticeOn<'failed'>) => readonly string[];
  readonly partial: (notice: NoticeOn<'partial'>) => readonly string[];
  /** `still`: something else is held or fails all the same. */
  readonly recovered: Readonly<Record<NoticeOn<'recovered'>['from'] | 'still', string>>;
  readonly digest: (counts: Digest) => readonly string[];
  readonly done: Readonly<Record<Digest['named'][number]['what'], string>>;
  readonly answers: AnswerTexts;
  /** The first line of every message about a run that sends nothing. */
  readonly reportOnly: string;
  readonly heldOfThem: (count: number) => string;
  readonly otherDaemon: (daemons: number) => string;
  readonly reloadRefused: string;
  /** The last line of every message. */
  readonly more: string;
}

const ENGLISH: Language = {
  guard: (guard) => GUARDS[guard].title.en,
  title: {
    held: ({ isReminder }) => stillTitle('rollcall holds changes', isReminder),
    failed: ({ isReminder }) => stillTitle('rollcall cannot run', isReminder),
    partial: ({ isReminder }) => stillTitle('rollcall: some records fail', isReminder),
    recovered: ({ from, isWell }) =>
      isWell
        ? 'rollcall is well again'
        : from === 'failed'
          ? 'rollcall runs again'
          : 'rollcall: no record fails any more',
    changes: () => 'rollcall: what changed',
    report: () => 'rollcall: what it would change',
    otherDaemon: ({ isReminder }) => stillTitle('rollcall runs twice', isReminder),
    reloadRefused: ({ isReminder }) => stillTitle('rollcall refused its new configuration', isReminder),
  },
  heldLine: ({ count, limit }, guard) => `${guard}: ${count}, allowed without approval: ${limit}`,
  release: (hash) => `to release them: rollcall sync --approve ${hash}`,
  releaseByReply: (hash) => `or answer: approve ${hash}`,
  answers: {
    stranger: 'Only active accounts that the administrator has listed can release changes. Nothing was done.',
    otherDomain: 'Only users of the own domain can release changes. Nothing was done.',
    nothingHeld: 'Nothing is held now.',
    howTo: 'To release what is held, answer:',
    unknown: (hash) => `Nothing is held under ${hash}, so nothing was released.`,
    alreadyReleased: (before) => `${before} has released it already; a run is on its way.`,
    accepted: (count) =>
      `Taken: ${counted(count, 'change is', 'changes are')} released by a run that begins now.`,
    ownAccount: (hash) =>
      `Your own account is among the changes held under ${hash}: another approver has to release them. Nothing was done.`,
    reportOnly: (hash) =>
      `rollcall only reports now (sync.mode: report), so nothing was released. Set sync.mode to apply, or run: rollcall sync --approve ${hash}`,
    repeated: 'This answer was taken before. Nothing was done.',
    busy: 'The ledger is in use at this moment, so nothing was noted. Please answer again in a minute.',
    notHeld: (hash) => `Nothing is held under ${hash} any more, so there was nothing to release.`,
    released: (hash) => `Done: what was held under ${hash} is released.`,
    releasedOf: (hash, done, of) =>
      `Done: ${done} of the ${of} changes held under ${hash}. The others are not planned any more.`,
    partlyDone: (hash, left, of) =>
      `What was held under ${hash} is released; ${left} of ${counted(of, 'change', 'changes')} not done yet.`,
  },
  andMore: (count) => `and ${count} more`,
  failed: ({ failures, error }) => [`${failures} runs failed one after the other. The last one:`, error],
  partial: ({ failed, blocked, leaversInside }) => [
    ...(leaversInside > 0
      ? [`${counted(leaversInside, 'person has', 'people have')} left and can still log in`]
      : []),
    ...(failed > 0 ? [`${counted(failed, 'record', 'records')} failed`] : []),
    ...(blocked > 0 ? [counted(blocked, 'record waits', 'records wait')] : []),
  ],
  recovered: {
    failed: 'The last run did what it should.',
    held: 'Nothing is held any more.',
    partial: 'No record fails any more, and no leaver has an active account.',
    still: 'Something is still held, or fails.',
  },
  digest: ({ joined, left, moved, updated }) => [
    `joined: ${joined}`,
    `left: ${left}`,
    `moved: ${moved}`,
    `other changes: ${updated}`,
  ],
  done: { joined: 'joined', left: 'left', moved: 'moved', updated: 'updated' },
  reportOnly: 'Report only (sync.mode: report): nothing is sent.',
  heldOfThem: (count) => `held of these: ${count}`,
  otherDaemon: (daemons) => `${daemons} daemons work on this ledger: stop all but one.`,
  reloadRefused: 'The daemon keeps its old configuration. It refused the new one:',
  more: 'More: rollcall status',
};

const CHINESE: Language = {
  guard: (guard) => GUARDS[guard].title.zh,
  title: {
    held: ({ isReminder }) => stillChineseTitle('rollcall 有变更等待批准', isReminder),
    failed: ({ isReminder }) => stillChineseTitle('rollcall 无法运行', isReminder),
    partial: ({ isReminder }) => stillChineseTitle('rollcall 部分记录失败', isReminder),
    recovered: ({ from, isWell }) =>
      isWell
        ? 'rollcall 已恢复正常'
        : from === 'failed'
          ? 'rollcall 已恢复运行'
          : 'rollcall 已没有失败的记录',
    changes: () => 'rollcall 变更摘要',
    report: () => 'rollcall 预计变更',
    otherDaemon: ({ isReminder }) => stillChineseTitle('rollcall 重复运行', isReminder),
    reloadRefused: ({ isReminder }) => stillChineseTitle('rollcall 未接受新配置', isReminder),
  },
  heldLine: ({ count, limit }, guard) => `${guard}：${count} 项，无需批准的上限：${limit}`,
  release: (hash) => `批准请执行：rollcall sync --approve ${hash}`,
  releaseByReply: (hash) => `或直接回复：批准 ${hash}`,
  answers: {
    stranger: '只有管理员指定的人员可以批准变更（账号须有效），未执行任何操作。',
    otherDomain: '只有本域的用户可以批准变更，未执行任何操作。',
    nothingHeld: '目前没有等待批准的变更。',
    howTo: '批准请回复：',
    unknown: (hash) => `没有编号为 ${hash} 的待批准变更，未批准任何内容。`,
    alreadyReleased: (before) => `${before} 已批准，正在执行。`,
    accepted: (count) => `已收到：${count} 项变更将立即执行。`,
    ownAccount: (hash) => `编号 ${hash} 的变更涉及您本人的账号，请由其他审批人批准，未执行任何操作。`,
    reportOnly: (hash) =>
      `rollcall 目前只报告、不执行（sync.mode: report），未批准任何内容。请将 sync.mode 改为 apply，或执行：rollcall sync --approve ${hash}`,
    repeated: '此回复先前已收到，未执行任何操作。',
    busy: '账本正在使用中，未记录您的回复，请稍后再试。',
    notHeld: (hash) => `编号 ${hash} 已没有等待批准的变更，无需批准。`,
    released: (hash) => `已完成：编号 ${hash} 的变更已批准并执行。`,
    releasedOf: (hash, done, of) =>
      `已完成：编号 ${hash} 的 ${of} 项变更中已执行 ${done} 项，其余已不在计划中。`,
    partlyDone: (hash, left, of) => `编号 ${hash} 的变更已批准，${of} 项中有 ${left} 项尚未完成。`,
  },
  andMore: (count) => `另有 ${count} 项`,
  failed: ({ failures, error }) => [`已连续失败 ${failures} 次。最近一次的原因：`, error],
  partial: ({ failed, blocked, leaversInside }) => [
    ...(leaversInside > 0 ? [`${leaversInside} 名已离职人员仍可登录`] : []),
    ...(failed > 0 ? [`${failed} 条记录失败`] : []),
    ...(blocked > 0 ? [`${blocked} 条记录在等待`] : []),
  ],
  recovered: {
    failed: '最近一次运行已成功。',
    held: '已没有等待批准的变更。',
    partial: '已没有失败的记录，也没有仍可登录的离职人员。',
    still: '仍有等待批准的变更或失败的记录。',
  },
  digest: ({ joined, left, moved, updated }) => [
    `入职：${joined}`,
    `离职：${left}`,
    `调动：${moved}`,
    `其他变更：${updated}`,
  ],
  done: { joined: '入职', left: '离职', moved: '调动', updated: '更新' },
  reportOnly: '仅报告（sync.mode: report）：不会发送任何变更。',
  heldOfThem: (count) => `其中等待批准：${count}`,
  otherDaemon: (daemons) => `有 ${daemons} 个守护进程在使用同一账本，请只保留一个。`,
  reloadRefused: '守护进程仍使用旧配置。新配置未被接受，原因：',
  more: '详情：rollcall status',
};

export const LANGUAGES = { en: ENGLISH, zh: CHINESE } as const satisfies Record<
  NotifySettings['language'],
  Language
>;

const stillTitle = (title: string, isReminder: boolean): string => (isReminder ? `${title} (still)` : title);

const stillChineseTitle = (title: string, isReminder: boolean): string =>
  isReminder ? `${title}（仍未解决）` : title;
