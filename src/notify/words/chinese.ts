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
    recovered: () => 'rollcall 已恢复正常',
    changes: () => 'rollcall 变更摘要',
  },
  heldLine: ({ count, limit }, guard) => `${guard}：${count} 项，无需批准的上限：${limit}`,
  release: (hash) => `批准请执行：rollcall sync --approve ${hash}`,
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
  },
  digest: ({ joined, left, moved, updated }) => [
    `入职：${joined}`,
    `离职：${left}`,
    `移动的部门：${moved}`,
    `更新：${updated}`,
  ],
  more: '详情：rollcall status',
};
