import { KNOWN_ENDS } from '../../domain/directories/known-ends.ts';
import { ACCOUNT_ACTIVE, VENDORS } from '../../domain/directories/vendors.ts';
import type { LdapSettings, OneSource } from '../../domain/source-settings.ts';
import { columnOf, type ColumnFacts } from '../../domain/survey-facts.ts';
import { sourceSecret } from '../connect/source-secret.ts';
import { connectWithPassword } from '../sql/read/connect-database.ts';
import type { SourceContext } from '../records/source-context.ts';
import { surveyDirectory } from './survey-directory.ts';
import { escaped, surveyFile, surveyQuery } from './survey-tables.ts';

type Part = 'people' | 'positions';
type Surveying = Pick<SourceContext, 'refusals'> & { readonly signal: AbortSignal };

/** Returns the columns of a part, with their first values, whose names stand nowhere in its settings. */
export async function unreadColumns(
  settings: OneSource,
  part: Part,
  surveying: Surveying,
): Promise<readonly ColumnFacts[]> {
  const rules = JSON.stringify(part in settings ? settings[part as 'people'] : undefined) ?? '';
  const columns = rules === '' ? [] : await columnsOf(settings, part, surveying);
  return columns.filter(({ name }) => !wholeWord(name).test(rules));
}

const wholeWord = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped(name)}(?![\p{L}\p{N}_])`, 'iu');

async function columnsOf(
  settings: OneSource,
  part: Part,
  { refusals, signal }: Surveying,
): Promise<readonly ColumnFacts[]> {
  if (settings.type === 'csv') return (await surveyFile(settings[part]?.file ?? '')).table.columns;
  if (settings.type === 'sql')
    return surveyQuery(
      await connectWithPassword(settings, { refusals }, signal),
      settings[part]?.query ?? '',
    );
  return settings.type === 'ldap' ? endsOf(settings, signal) : [];
}

/** Returns the known ends and locks that accounts have, but for those that `account_active` reads. */
async function endsOf(settings: LdapSettings, signal: AbortSignal): Promise<readonly ColumnFacts[]> {
  const { people, bindPassword: secret } = settings;
  if (people === undefined) return [];
  const bindPassword = secret === undefined ? undefined : await sourceSecret(secret, 'source.bindPassword');
  const filter = `(&${people.filter}(|${KNOWN_ENDS.map((name) => `(${name}=*)`).join('')}))`;
  const found = await surveyDirectory({ ...settings, bindPassword }, people.bases[0], signal, [filter]);
  const isRead = found.vendor !== null && JSON.stringify(people.rules).includes(ACCOUNT_ACTIVE);
  const reads = isRead ? VENDORS[found.vendor].active.reads : [];
  return KNOWN_ENDS.filter((name) => !reads.includes(name)).map((name) => columnOf(found.people, name));
}
