import type { App } from '../../app/app.ts';
import type { Trial } from '../../app/channels.ts';
import { sentenceOf } from '../../domain/errors.ts';
import type { Employee } from '../../domain/ports/service.ts';
import type { Settings } from '../../domain/settings.ts';
import { printable } from '../../domain/text/printable.ts';
import type { CheckedPart } from './words.ts';

/** Checks that recipients of messages exist and that approvers can approve. It sends no message. */
export async function checkMessages(app: App, signal: AbortSignal): Promise<CheckedPart> {
  const { notify } = app.settings;
  const usernames = notify?.to?.usernames ?? [];
  const approvers = approversOf(app.settings);
  const names = [...new Set([...usernames, ...approvers.flatMap(({ named }) => named)])];
  const employees = names.length === 0 ? null : (await app.service.employees(names, signal)).found;
  const missing = usernames.filter((name) => !employees?.has(name));
  const wrong = [
    ...missing.map((name) => `! ${printable(name)} is no employee here: no message comes there`),
    ...approvers.flatMap(({ key, named }) =>
      named.flatMap((name) => approverLines(key, name, employees?.get(name))),
    ),
  ];
  const head = [
    ...(usernames.length === 0 ? [] : [`recipients: ${listed(usernames)}`]),
    ...approvers.map(({ title, named }) => `${title}: ${listed(named)}`),
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

/** Returns the usernames of who may approve, by where the configuration names them. */
function approversOf({ approvals, http }: Pick<Settings, 'approvals' | 'http'>) {
  const inConsole = (http?.console?.approvers ?? []).map(({ username }) => username);
  const all = [
    { key: 'approvals', title: 'approvers', named: approvals?.approvers ?? [] },
    { key: 'http.console', title: 'approvers in the console', named: inConsole },
  ] as const;
  return all.filter(({ named }) => named.length > 0);
}

const listed = (names: readonly string[]): string => names.map((name) => printable(name)).join(', ');

function approverLines(key: string, name: string, account: Employee | undefined): readonly string[] {
  if (account?.username === name && !account.locked) return [];
  const why =
    account === undefined
      ? 'no employee here has this username'
      : `the account ${account.locked ? 'is locked' : `is spelled ${printable(account.username)}`}`;
  return [`! ${key}.approvers: ${printable(name)} cannot approve: ${why}`];
}
