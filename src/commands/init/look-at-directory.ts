import { surveyDirectory } from '../../app/survey.ts';
import { DraftSection, type DraftEntry } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { DirectoryFacts } from '../../domain/survey/directory-facts.ts';
import { proposeDirectory } from '../../proposal/directory/propose-directory.ts';
import { structuresOf, whyNot, type Structure } from '../../proposal/directory/structure.ts';
import { passwordOf, type Looked, type Password } from './target.ts';
import type { InitOptions } from './options.ts';
import { confirmed, type Prompter } from './prompter.ts';

/** Seconds for each answer of the server. */
const TIMEOUT = 30;

interface Asking {
  readonly prompter: Prompter;
  readonly options: InitOptions;
  /** Configuration that is to be written. */
  readonly target: string;
  readonly signal: AbortSignal;
}

/** How to reach a directory. */
interface Access {
  readonly url: string;
  readonly startTls: boolean;
  readonly bindDn: string | undefined;
  readonly password: Password | null;
  readonly caFile: string | undefined;
}

export async function lookAtDirectory(asking: Asking): Promise<Looked> {
  const { prompter, options, signal } = asking;
  const access = await accessOf(asking);
  const { url, startTls, bindDn, password, caFile } = access;
  const server = {
    url,
    startTls,
    bindDn,
    bindPassword: password?.text,
    tls: { caFile, insecure: false },
    timeoutSeconds: TIMEOUT,
  };
  let facts = await surveyDirectory(server, options.base ?? null, signal);
  const base = await prompter.ask({
    text: 'Entry that everybody lies below',
    flag: '--base',
    given: options.base,
    otherwise: facts.base,
  });
  if (base !== facts.base) facts = await surveyDirectory(server, base, signal);
  const structure = await structureOf(facts, asking);
  const draft = proposeDirectory(facts, structure);
  const source = new DraftSection([...headOf(access), ...draft.entries]);
  return { ...draft, entries: [{ key: 'source', value: source }], secrets: password?.files ?? [], seen: [] };
}

async function accessOf({ prompter, options, target }: Asking): Promise<Access> {
  const url = await prompter.ask({
    text: 'Address of the directory, as ldaps://ldap.example.com',
    flag: '--url',
    given: options.url,
    problem: urlProblem,
  });
  const startTls = url.toLowerCase().startsWith('ldap:') && (await wantsStartTls(prompter, options));
  const { caFile } = options;
  if (options.anonymous) return { url, startTls, caFile, bindDn: undefined, password: null };
  const bindDn = await prompter.ask({
    text: 'Name to bind with, as cn=reader,dc=example,dc=com',
    flag: '--bind-dn (or --anonymous)',
    given: options.bindDn,
  });
  const text = `Password of ${bindDn}`;
  const password = await passwordOf(prompter, {
    target,
    name: 'ldap-password',
    given: options.passwordFile,
    text,
  });
  return { url, startTls, caFile, bindDn, password };
}

function urlProblem(url: string): string | null {
  if (!/^ldaps?:\/\//iu.test(url) || !URL.canParse(url)) return 'begin it with ldaps:// or ldap://';
  const { username, password } = new URL(url);
  return username + password === '' ? null : 'leave name and password out of the address';
}

async function wantsStartTls(prompter: Prompter, { startTls }: InitOptions): Promise<boolean> {
  if (startTls || !prompter.isTerminal) return startTls;
  const text = 'Encrypt the connection by StartTLS';
  return confirmed(prompter, { text, flag: '--start-tls', otherwise: 'yes' });
}

async function structureOf(
  facts: DirectoryFacts,
  { prompter, options }: Asking,
): Promise<Structure | undefined> {
  const found = structuresOf(facts);
  const [first] = found;
  const kinds = found.map(({ kind }) => kind);
  if (first === undefined || (found.length === 1 && options.units === undefined)) return first;
  const answer = await prompter.ask({
    text: `What makes the units: ${kinds.join(' or ')}`,
    flag: '--units',
    given: options.units,
    otherwise: first.kind,
    problem: (kind) => (kinds.some((one) => one === kind) ? null : whyNot(kind, facts, kinds)),
  });
  const chosen = found.find(({ kind }) => kind === answer);
  if (chosen === undefined) throw new ConfigError(`rollcall init: --units: ${answer} was not seen there.`);
  return chosen;
}

function headOf({ url, startTls, bindDn, password, caFile }: Access): readonly DraftEntry[] {
  const lines: readonly (DraftEntry | null)[] = [
    { key: 'type', value: 'ldap' },
    { key: 'url', value: url },
    startTls ? { key: 'startTls', value: true } : null,
    bindDn === undefined ? null : { key: 'bindDn', value: bindDn },
    password === null ? null : { key: 'bindPassword', value: password.reference, refers: true },
    caFile === undefined ? null : { key: 'tls', value: { caFile } },
  ];
  return lines.filter((line) => line !== null);
}
