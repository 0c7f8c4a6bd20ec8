import { AndFilter } from 'ldapts';
import { KNOWN_ENDS } from '../../domain/directories/known-ends.ts';
import { ACCOUNT_ACTIVE } from '../../domain/directories/vendors.ts';
import { ofKind, type OfKinds } from '../../domain/source-kinds.ts';
import type { LdapSettings, SourceSettings } from '../../domain/source-settings.ts';
import { columnOf, type ColumnFacts, type EntryFacts } from '../../domain/survey-facts.ts';
import { openDirectory } from '../ldap/read/open-directory.ts';
import { reachOf } from '../ldap/read/reach.ts';
import { parseFilter } from '../ldap/wire/ldap-error.ts';
import { connectWithPassword } from '../open-source.ts';
import type { SourceContext } from '../records/source-context.ts';
import { factsOf } from './survey-directory.ts';
import { surveyScim } from './survey-scim.ts';
import { escaped, SAMPLE, surveyFile, surveyQuery } from './survey-tables.ts';

/** The first records of a part, as the configuration asks for them. */
export interface SurveyedPart {
  /** Place in the configuration. */
  readonly place: string;
  readonly columns: readonly ColumnFacts[];
  /** Returns whether the configuration has a name anywhere in this part. */
  readonly reads: (name: string) => boolean;
}

type Surveying = Pick<SourceContext, 'clock' | 'onSecret' | 'refusals'> & { readonly signal: AbortSignal };

/** Looks at the first people, positions and partners of a source; reads nothing to its end. */
export async function surveyParts(
  settings: SourceSettings,
  surveying: Surveying,
): Promise<readonly SurveyedPart[]> {
  const members = settings.type === 'combined' ? settings.members : [{ source: settings, joins: [] }];
  const joined = members.flatMap(({ joins }) => joins.map(({ partner }) => partner(NO_ROWS)));
  const found: SurveyedPart[] = [];
  for (const source of [...members.map((member) => member.source), ...joined]) {
    const parts: Asked = source;
    for (const part of ['people', 'positions', 'rows'] as const) {
      if (parts[part] === undefined || (part !== 'rows' && joined.includes(source))) continue;
      const rules = JSON.stringify(part === 'rows' ? settings : parts[part]);
      const columns = await ofKind(SURVEYS, source)({ ...surveying, part, rules });
      const reads = (name: string): boolean => wholeWord(name).test(rules);
      found.push({ place: `source.${part === 'rows' ? NO_ROWS.path : part}`, columns, reads });
    }
  }
  return found;
}

const wholeWord = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped(name)}(?![\p{L}\p{N}_])`, 'iu');

const NO_ROWS = { path: 'people.join', names: [], places: [] };

type Asked = { readonly [P in 'people' | 'positions' | 'rows']?: unknown };
type Survey = (
  asked: Surveying & { readonly part: keyof Asked; readonly rules: string },
) => Promise<readonly ColumnFacts[]>;

const SURVEYS: OfKinds<Survey> = {
  ldap: (settings) => async (asked) => surveyEnds(settings, asked),
  sql:
    (settings) =>
    async ({ part, signal, ...context }) => {
      const connection = await connectWithPassword(settings, context, signal);
      return surveyQuery(connection, settings[part]?.query ?? '');
    },
  csv:
    (settings) =>
    async ({ part }) =>
      (await surveyFile(settings[part]?.file ?? '')).table.columns,
  scim:
    (settings) =>
    async ({ part, signal }) =>
      part === 'people' ? (await surveyScim(settings, signal)).users.columns : [],
};

/** Returns the known ends and locks that accounts have, but for those that `account_active` reads. */
async function surveyEnds(
  settings: LdapSettings,
  { part, rules, signal, ...asked }: Parameters<Survey>[0],
): Promise<readonly ColumnFacts[]> {
  const reach = part === 'positions' ? null : reachOf(settings, part);
  const { onSecret = () => undefined } = asked;
  const { connection, attributes } = await openDirectory(settings, [], { ...asked, onSecret, signal });
  try {
    const reads = rules.includes(ACCOUNT_ACTIVE) ? (attributes.accounts?.reads ?? []) : [];
    const names = KNOWN_ENDS.filter((name) => !reads.includes(name));
    const has = parseFilter('filter', `(|${names.map((name) => `(${name}=*)`).join('')})`);
    const found: EntryFacts[] = [];
    for (const { base, scope } of reach?.bases ?? []) {
      const filter = new AndFilter({ filters: [...(reach === null ? [] : [reach.filter]), has] });
      const look = {
        base,
        scope,
        filter,
        attributes: names,
        atMost: SAMPLE,
        seconds: settings.timeoutSeconds,
      };
      const entries = await connection.glimpse({ ...look, doing: `looking below ${base}` });
      found.push(...entries.map((entry) => factsOf(entry)));
    }
    return names.map((name) => columnOf(found, name));
  } finally {
    await connection.close();
  }
}
