import type { App } from '../../app/app.ts';
import type { Trial } from '../../app/channels.ts';
import { sentenceOf } from '../../domain/errors.ts';
import type { Employee } from '../../domain/ports/service.ts';
import { printable } from '../../domain/text/printable.ts';
import type { CheckedPart } from './words.ts';

/** Checks that recipients of messages exist and that approvers can approve. It sends no message. */
export async function checkMessages(app: App, signal: AbortSignal): Promise<CheckedPart> {
  const { notify, approvals } = app.settings;
  const usernames = notify?.to?.usernames ?? [];
  const approvers = approvals?.approvers ?? [];
  const names = [...new Set([...usernames, ...approvers])];
  const employees = names.length === 0 ? null : (await app.service.employees(names, signal)).found;
  const missing = names.filter((name) => !employees?.has(name));
  const wrong = [
    ...missing.map((name) => `! ${printable(name)} is no employee here: no message comes there`),
    ...approvers.flatMap((name) => approverLines(name, employees?.get(name))),
  ];
  const head = [
    ...(usernames.length === 0 ? [] : [`recipients: ${listed(usernames)}`]),
    ...(approvals === undefined ? [] : [`approvers: ${listed(approvers)}`]),
  ].join('; ');
  return { verdict: wrong.some((line) => line.startsWith('!')) ? 'look' : 'ok', head, lines: wrong };
}

/** Tries a channel without sending a message. A run works without it, so what is wrong is only to be looked at. */
export async function checkChannel(channel: Trial, signal: AbortSignal): Promise<CheckedPart> {
  try {
    return { verdict: 'ok', head: `${printable(await channel.check(signal))}; nothing was sent`, lines: [] };
  } catch (error) {
    return { verdict: 'look', head: 'no notice would arrive', lines: [`! ${sentenceOf(error)}`] };
  }
}

const listed = (names: readonly string[]): string => names.map((name) => printable(name)).join(', ');

function approverLines(name: string, account: Employee | undefined): readonly string[] {
  if (account === undefined || (account.username === name && !account.locked)) return [];
  const why = account.locked ? 'is locked' : `is spelled ${printable(account.username)}`;
  return [`! approvals.approvers: ${printable(name)} cannot approve: the account ${why}`];
}
