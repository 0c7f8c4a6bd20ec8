import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { DraftSection, PLACEHOLDER, type DraftEntry } from '../../domain/draft.ts';
import type { InitOptions } from './options.ts';
import { referenceTo } from './password.ts';
import type { Prompter } from '../terminal/prompter.ts';
import { besideConfig, type SecretFile } from './target.ts';

export interface ServicePart {
  readonly entry: DraftEntry;
  readonly secrets: readonly SecretFile[];
  /** What is still to be written, as steps for a person. */
  readonly open: readonly string[];
}

const LATER = 'Enter: later';

/** Asks where the service is; what is not known yet gets a placeholder that `check` names. */
export async function askService(
  prompter: Prompter,
  options: InitOptions,
  target: string,
): Promise<ServicePart> {
  const ask = async (text: string, flag: string, given: string | undefined): Promise<string> =>
    (await prompter.ask({
      text: `${text} (${LATER})`,
      flag,
      given,
      otherwise: '',
      problem: PROBLEMS[flag],
    })) || (flag === '--service-url' ? `https://${PLACEHOLDER}` : PLACEHOLDER);
  const baseUrl = await ask('Address of the service', '--service-url', options.serviceUrl);
  const domainId = await ask('Id of the domain there', '--domain-id', options.domainId);
  const orgCode = await ask('Code of the organization there', '--org-code', options.orgCode);
  const token = await tokenOf(prompter, options, target);
  const placeholders = [baseUrl, domainId, orgCode].filter((value) => value.includes(PLACEHOLDER));
  return {
    entry: {
      key: 'service',
      value: new DraftSection([
        { key: 'baseUrl', value: baseUrl },
        { key: 'domainId', value: domainId },
        { key: 'orgCode', value: orgCode, because: 'the ledger is bound to domainId and orgCode' },
        { key: 'token', value: referenceTo(token.path), refers: true },
      ]),
    },
    secrets: token.secrets,
    open: [
      ...(placeholders.length === 0 ? [] : [`write what belongs in place of ${PLACEHOLDER} below service`]),
      ...token.open,
    ],
  };
}

const PROBLEMS: Readonly<Record<string, (answer: string) => string | null>> = {
  '--service-url': (answer) =>
    answer === '' || /^https?:\/\/./iu.test(answer) ? null : 'begin it with https:// or http://',
};

interface Token {
  readonly path: string;
  readonly secrets: readonly SecretFile[];
  readonly open: readonly string[];
}

async function tokenOf(prompter: Prompter, { tokenFile }: InitOptions, target: string): Promise<Token> {
  if (tokenFile !== undefined) return named(resolve(tokenFile));
  const path = besideConfig(target, 'service-token');
  if (existsSync(path)) return named(path);
  const typed = (
    (await prompter.askSecret(`Token of the service, which is not shown (${LATER})`)) ?? ''
  ).trim();
  return typed === '' ? named(path) : { path, secrets: [{ path, secret: typed }], open: [] };
}

function named(path: string): Token {
  return { path, secrets: [], open: existsSync(path) ? [] : [`write the token of the service into ${path}`] };
}
