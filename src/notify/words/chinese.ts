import type { Language } from './language.ts';

const again = (title: string, isReminder: boolean): string => (isReminder ? `${title}（仍未解决）` : title);

export const CHINESE: Language = {
  guards: {
    leavers: '离职人员',
    joiners: '入职人员',
    updates: '更新',
    emptied: '将被清空的字段',
    unitsRemoved: '将被删除的部门',
    unitsMoved: '将被移动的部门',
    gone: '服务中已消失的记录',
    lost: '写入后会丢失的字段',
    source: '数据源已更换',
    adopted: '服务中原有的账号',
    usernameReuse: '被他人使用的用户名',
  },
  title: {
    held: ({ isReminder }) => again('rollcall 有变更等待批准', isReminder),
    failed: ({ isReminder }) => again('rollcall 无法运行', isReminder),
    partial: ({ isReminder }) => again('rollcall 部分记录失败', isReminder),
    recovered: ({ from, isWell }) =>
      isWell
        ? 'rollcall 已恢复正常'
        : from === 'failed'
          ? 'rollcall 已恢复运行'
          : 'rollcall 已没有失败的记录',
    changes: () => 'rollcall 变更摘要',
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
    again: (before) => `${before} 已批准，正在执行。`,
    taken: (count) => `已收到：${count} 项变更将立即执行。`,
    own: (hash) => `编号 ${hash} 的变更涉及您本人的账号，请由其他审批人批准，未执行任何操作。`,
    repeated: '此回复先前已收到，未执行任何操作。',
    busy: '账本正在使用中，未记录您的回复，请稍后再试。',
    gone: (hash) => `编号 ${hash} 已没有等待批准的变更，无需批准。`,
    done: (hash) => `已完成：编号 ${hash} 的变更已批准并执行。`,
    partly: (hash, left, of) => `编号 ${hash} 的变更已批准，${of} 项中有 ${left} 项尚未完成。`,
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
    `其他更新：${updated}`,
  ],
  done: { joined: '入职', left: '离职', moved: '调动' },
  more: '详情：rollcall status',
};
