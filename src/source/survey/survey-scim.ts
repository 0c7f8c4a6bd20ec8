import type { ScimSettings } from '../../domain/source-settings.ts';
import type { ScimFacts } from '../../domain/survey-facts.ts';
import { systemClock } from '../../lib/clock.ts';
import { attributeReader, ScimRefusedError, type Resource } from '../scim/wire/attributes.ts';
import { scimProblem } from '../scim/wire/scim-problems.ts';
import type { ScimClient } from '../scim/wire/scim-client.ts';
import { isObject } from '../../lib/parse-lossless.ts';

/** Users and groups of a sample. */
const SAMPLE = 200;

/** Attributes of users that a configuration can map, as it names them. */
const ATTRIBUTES = `id userName displayName name.formatted name.givenName name.familyName emails.work
  phoneNumbers.mobile phoneNumbers.work addresses.work.locality title active enterprise.department`.split(
  /\s+/u,
);

export type ScimAccess = Pick<ScimSettings, 'url' | 'token' | 'tls'>;

/** Looks at the first users and groups of a SCIM server. Throws a `SourceError` if it shows no users. */
export async function surveyScim(access: ScimAccess, signal: AbortSignal): Promise<ScimFacts> {
  const { ScimClient: Client } = await import('../scim/wire/scim-client.ts');
  const client = new Client({ type: 'scim', ...access }, systemClock, signal);
  try {
    const { first: users, isWhole } = await firstOf(client, 'Users');
    if (users.length === 0) throw scimProblem('scim-no-users', { url: access.url });
    const columns = ATTRIBUTES.map((name) => {
      const read = attributeReader(name);
      return { name, quoted: name, cells: users.map((user) => [read(user) ?? ''].flat()[0]?.trim() ?? '') };
    });
    const filled = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
    const groups = await firstOf(client, 'Groups').catch((error: unknown) => {
      if (error instanceof ScimRefusedError) return { first: [] };
      throw error;
    });
    return {
      users: { name: 'Users', quoted: 'Users', columns: filled, rows: users.length, isWhole },
      groups: groups.first.map(({ displayName }) => String(displayName)),
    };
  } finally {
    await client.close();
  }
}

/** Returns the first resources of a list; a server may give them in smaller pages than it is asked for. */
async function firstOf(client: ScimClient, resource: string) {
  const first: Resource[] = [];
  while (first.length < SAMPLE) {
    const query = { startIndex: String(first.length + 1), count: String(SAMPLE - first.length) };
    const { Resources, totalResults } = (await client.ask(resource, query)).value;
    const page = Array.isArray(Resources) ? Resources.filter((one) => isObject(one)) : [];
    first.push(...page);
    if (page.length === 0 || first.length >= Number(totalResults)) return { first, isWhole: true };
  }
  return { first, isWhole: false };
}
