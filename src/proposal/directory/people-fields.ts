import { VENDORS } from '../../domain/directories/vendors.ts';
import type { DraftEntry, DraftValue } from '../../domain/draft.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import type { DirectoryFacts, EntryFacts } from '../../domain/survey/directory-facts.ts';
import { filledBy } from './structure.ts';

/** Fields beside those that a vendor gives, with the attributes that have them, the best first. */
const OPTIONAL = {
  mobile: ['mobile'],
  workPhone: ['telephoneNumber'],
  sn: ['employeeNumber', 'employeeID'],
  city: ['l'],
} as const;

/** Attributes with an id that outlives renaming, and those that name an account. */
const IDS = ['objectGUID', 'ipaUniqueID', 'nsUniqueId', 'entryUUID'];
const USERNAMES = ['uid', 'sAMAccountName', 'userPrincipalName', 'mail', 'cn'];

/** Share of the people below which an attribute is hardly kept: it is not proposed. */
const FEW = 0.02;

/** Words in `employeeType` for people who have left. */
const LEFT =
  /^(?:left|leaver|inactive|former|terminated|retired|resigned|ausgeschieden|inaktiv|ehemalig|离职)$/iu;

interface PeopleFields {
  readonly entries: readonly DraftEntry[];
  /** What the vendor's own rules find, as lines of a comment. */
  readonly given: readonly string[];
  readonly assumed: readonly string[];
  readonly gaps: readonly string[];
}

/** Returns rules for people, without their positions: those of the vendor stay where they find something. */
export function peopleFields({ vendor, people }: DirectoryFacts): PeopleFields {
  const own = vendor === null ? null : VENDORS[vendor].people.fields;
  const name = { expr: "displayName != '' ? displayName : cn" };
  const id = chosen(people, typeof own?.id === 'string' ? own.id : null, IDS);
  const username = chosen(people, typeof own?.username === 'string' ? own.username : null, USERNAMES);
  const hasMail = filledBy(people, 'mail') > 0;
  const byType = leftByType(people, own !== null);
  const entries: readonly (DraftEntry | null)[] = [
    id.isOwn ? null : entry('id', id.attribute, people),
    username.isOwn ? null : entry('username', username.attribute, people),
    own === null ? { key: 'name', value: name, because: 'assumed' } : null,
    mail(hasMail, own !== null),
    ...Object.entries(OPTIONAL).map(([key, attributes]) => {
      const attribute = attributes.find((one) => filledBy(people, one) > people.length * FEW);
      return attribute === undefined ? null : entry(key, attribute, people);
    }),
    byType.entry,
  ];
  return {
    entries: entries.filter((one) => one !== null),
    given: own === null ? [] : givenBy(people, own),
    assumed: [activeSentence(vendor, byType.words)],
    gaps: [id, username].flatMap(({ gap }) => gap),
  };
}

interface Choice {
  readonly attribute: string;
  /** Whether it is the vendor's, which needs no line. */
  readonly isOwn: boolean;
  readonly gap: readonly string[];
}

function chosen(people: readonly EntryFacts[], own: string | null, names: readonly string[]): Choice {
  if (own !== null && filledBy(people, own) > 0) return { attribute: own, isOwn: true, gap: [] };
  const best = names.toSorted((a, b) => filledBy(people, b) - filledBy(people, a))[0] ?? '';
  if (filledBy(people, best) > 0) return { attribute: best, isOwn: false, gap: [] };
  return { attribute: names[0] ?? '', isOwn: false, gap: [`nobody has one of ${names.join(', ')}`] };
}

function entry(key: string, attribute: string, people: readonly EntryFacts[]): DraftEntry {
  const filled = filledBy(people, attribute);
  return {
    key,
    value: attribute,
    because: `assumed: ${filled} of ${people.length} entries have it${hint(key, people)}`,
  };
}

/** Numbers without a country are sent as they are: only a person knows which country is meant. */
function hint(key: string, people: readonly EntryFacts[]): string {
  if (key !== 'mobile') return '';
  const numbers = people.flatMap(({ values }) => values.get('mobile')?.[0] ?? []);
  const without = numbers.filter((number) => !number.startsWith('+')).length;
  const rule = `{ expr: "mobile == '' ? '' : phone(mobile, 'DE')" }`;
  return without === 0 ? '' : `; ${without} without a country: ${rule} with yours would complete them`;
}

function mail(hasMail: boolean, isGiven: boolean): DraftEntry | null {
  if (hasMail) return isGiven ? null : { key: 'email', value: 'mail', because: 'assumed' };
  return isGiven ? { key: 'email', value: null, because: 'assumed: nobody has mail' } : null;
}

interface ByType {
  /** `null`: no value of employeeType says so. */
  readonly entry: DraftEntry | null;
  /** The values that say so. */
  readonly words: string | null;
}

/** A type that says who has left counts beside what the vendor tells of the account. */
function leftByType(people: readonly EntryFacts[], isGiven: boolean): ByType {
  const types = new Map<string, number>();
  for (const { values } of people)
    for (const type of values.get('employeetype') ?? []) types.set(type, (types.get(type) ?? 0) + 1);
  const left = [...types.keys()].filter((type) => LEFT.test(type));
  if (left.length === 0) return { entry: null, words: null };
  const words = left.map((word) => `'${word}'`).join(', ');
  const expr = `${isGiven ? "account_active == 'true' && " : ''}!(employeeType in [${words}])`;
  const seen = [...types].map(([type, count]) => `${type} ${count}`).join(', ');
  return {
    entry: { key: 'active', value: { expr }, because: `assumed by employeeType (seen: ${seen})` },
    words,
  };
}

/** @param types values of employeeType that say who has left; `null`: none do */
function activeSentence(vendor: DirectoryFacts['vendor'], types: string | null): string {
  const own =
    vendor === null ? [] : [`${VENDORS[vendor].active.reads.join(' and ')} (${VENDORS[vendor].title})`];
  const told = [...own, ...(types === null ? [] : [`employeeType: who has left is ${types}`])];
  if (told.length === 0) return 'nothing that is known says who has left: everybody there counts as active';
  return `who is active is told by ${told.join(', and by ')}`;
}

/** Returns what a vendor's rules find in the sample. */
function givenBy(
  people: readonly EntryFacts[],
  fields: Readonly<Record<'id' | 'username' | 'email', FieldRule>>,
): readonly string[] {
  const keys = ['id', 'username', 'email'] as const;
  const found = keys.map((key) => {
    const rule: DraftValue = typeof fields[key] === 'string' ? fields[key] : key;
    return `${key} (${rule}): ${filledBy(people, rule)}`;
  });
  const names = people.filter(({ values }) => values.has('displayname') || values.has('cn')).length;
  return [
    `The vendor gives filter, id, username, name, email, active. Of ${people.length} entries have`,
    `${[...found, `name (displayName or cn): ${names}`].join(', ')}.`,
  ];
}
