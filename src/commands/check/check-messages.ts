import { openCaller, type App } from '../../app.ts';
import { RefusedError } from '../../domain/errors.ts';
import type { Employee } from '../../domain/ports/service.ts';
import type { NotifySettings } from '../../domain/settings.ts';
import { printable, printableText } from '../../domain/text/printable.ts';
import type { Part } from './words.ts';

/**
 * Looks whether those who are to be told are there, and the template, and whether approvers can approve. Nothing is sent
 * to anybody.
 */
export async function checkMessages(app: App, signal: AbortSignal): Promise<Part> {
  const { notify, approvals } = app.settings;
  const { usernames, scopes } = notify?.to ?? { usernames: [], scopes: [] };
  const approvers = approvals?.approvers ?? [];
  const asked = [...new Set([...usernames, ...approvers])];
  const found = asked.length === 0 ? null : (await app.service.employees(asked, signal)).found;
  const missing = asked.filter((name) => !found?.has(name));
  const wrong = [
    ...missing.map((name) => `! ${printable(name)} is no employee here: no message comes there`),
    ...approvers.flatMap((name) => approverLines(name, found?.get(name))),
    ...(await scopeLines(app, scopes, signal)),
    ...(notify === undefined ? [] : await templateLines(app, notify, signal)),
  ];
  const head = [
    ...(notify === undefined ? [] : [`told: ${listed([...usernames, ...scopes])}`]),
    ...(approvals === undefined ? [] : [`approvers: ${listed(approvers)}`]),
  ].join('; ');
  return { verdict: wrong.some((line) => line.startsWith('!')) ? 'look' : 'ok', head, lines: wrong };
}

const listed = (names: readonly string[]): string => names.map((name) => printable(name)).join(', ');

function approverLines(name: string, account: Employee | undefined): readonly string[] {
  if (account === undefined || (account.username === name && !account.locked)) return [];
  const why = account.locked ? 'is locked' : `is spelled ${printable(account.username)}`;
  return [`! approvals.approvers: ${printable(name)} cannot approve: the account ${why}`];
}

/** Asks for the last organization of each path. */
async function scopeLines(
  { service }: App,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const scope of scopes) {
    const id = scope.split('/').findLast((part) => part !== '') ?? '';
    if ((await service.organization(id, signal)) === null)
      lines.push(`! ${printable(scope)}: there is no organization ${printable(id)}: no message comes there`);
  }
  return lines;
}

async function templateLines(
  app: App,
  { template }: NotifySettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (template === undefined) return [];
  const name = `template ${printable(template)}`;
  const caller = openCaller(app, () => undefined);
  try {
    const isThere = await findTemplate(caller, { template, app }, signal);
    if (isThere === null) return [`! ${name}: not among the first ${MOST_TEMPLATES} that the service lists`];
    return isThere ? [`${name}: there`] : [`! ${name}: there is no such template`];
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return [`! ${name}: ${printableText(error.message)}`];
  } finally {
    await caller.close();
  }
}

const PAGE = 100;
const MOST_TEMPLATES = 1_000;

interface Wanted {
  readonly template: string;
  readonly app: App;
}

/**
 * Returns whether there is the template; `null`: it is not known. The interface wants the id of an application with the
 * question for one template, and none with the list.
 */
async function findTemplate(
  caller: ReturnType<typeof openCaller>,
  { template, app }: Wanted,
  signal: AbortSignal,
): Promise<boolean | null> {
  const appId = app.settings.approvals?.callback.applicationId;
  if (appId !== undefined) {
    await caller.call(
      { name: 'templateDetail', params: { templateId: template, appId }, ...NO_FILES },
      signal,
    );
    return true;
  }
  for (let seen = 0; seen < MOST_TEMPLATES;) {
    const params = { skip: String(seen), limit: String(PAGE) };
    const answer = await caller.call({ name: 'listTemplates', params, ...NO_FILES }, signal);
    const ids = 'result' in answer ? idsIn(answer.result) : [];
    if (ids.includes(template)) return true;
    if (ids.length === 0) return false;
    seen += ids.length;
  }
  return null;
}

const NO_FILES = { json: null, file: null, out: null } as const;

function idsIn(result: unknown): readonly string[] {
  const records = isObject(result) ? result['records'] : null;
  if (!Array.isArray(records)) return [];
  return records.flatMap((one: unknown) => (isObject(one) ? [String(one['id'])] : []));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
