/** Names of attributes as one server knows them (RFC 4512, section 4.1.2). */
export interface DirectorySchema {
  /** Every name, as the server writes it. */
  readonly names: readonly string[];
  knows(type: string): boolean;
  /** Returns the same spelling for all names of an attribute, in lower case, with its options. */
  keyOf(type: string): string;
}

/** Schema where none can be read: every name may be an attribute, and has no other names. */
export const UNREAD_SCHEMA: DirectorySchema = {
  names: [],
  knows: () => true,
  keyOf: (type) => type.toLowerCase(),
};

/**
 * Attributes that servers compute for every entry; some leave them out of their schema. `dn` and `parentDn`
 * are ours.
 */
const OPERATIONAL: ReadonlySet<string> = new Set(
  (
    'dn parentdn objectclass entryuuid entrydn entrycsn entryid memberof ismemberof createtimestamp ' +
    'modifytimestamp creatorsname modifiersname hassubordinates numsubordinates structuralobjectclass ' +
    'subschemasubentry nsuniqueid nsrole nsroledn nsaccountlock pwdaccountlockedtime pwdchangedtime'
  ).split(' '),
);

/** Reads the schema from the values of `attributeTypes`; `null`: none of them is a description. */
export function parseSchema(descriptions: readonly string[]): DirectorySchema | null {
  const keys = new Map<string, string>();
  const names: string[] = [];
  for (const description of descriptions) {
    const found = namesOf(description);
    const [first] = found;
    if (first === undefined) continue;
    names.push(...found.slice(1));
    for (const name of found) keys.set(name.toLowerCase(), (found[1] ?? first).toLowerCase());
  }
  if (keys.size === 0) return null;
  return {
    names,
    knows: (type) => keys.has(baseOf(type)) || OPERATIONAL.has(baseOf(type)),
    keyOf: (type) => [keys.get(baseOf(type)) ?? baseOf(type), ...optionsOf(type)].join(';'),
  };
}

const DESCRIPTION = /^\s*\(\s*(?<oid>[^\s()]+)(?:.*?\sNAME\s+(?:'(?<name>[^']+)'|\((?<several>[^)]*)\)))?/isu;

/** Returns the numeric identifier, then the names: `( 2.5.4.4 NAME ( 'sn' 'surname' ) … )`. */
function namesOf(description: string): readonly string[] {
  const { oid, name, several } = DESCRIPTION.exec(description)?.groups ?? {};
  if (oid === undefined) return [];
  const quoted = [...(several ?? '').matchAll(/'([^']+)'/gu)].flatMap(([, each]) => each ?? []);
  return [oid, ...(name === undefined ? [] : [name]), ...quoted];
}

/**
 * Returns the name without options, as in `cn;lang-de` or `userCertificate;binary` (RFC 4512, section 2.5).
 */
function baseOf(type: string): string {
  return (type.split(';', 1)[0] ?? type).trim().toLowerCase();
}

function optionsOf(type: string): readonly string[] {
  return type.toLowerCase().split(';').slice(1).toSorted();
}

const REQUIRED = /\sMUST\s+(?:\((?<several>[^)]*)\)|(?<one>[^\s()]+))/iu;

/** Returns the names of the classes with this attribute among those they have to have, in lower case (RFC 4512, section 4.1.1). */
export function classesRequiring(descriptions: readonly string[], attribute: string): ReadonlySet<string> {
  const wanted = attribute.toLowerCase();
  const found = descriptions.filter((description) => {
    const { several, one = '' } = REQUIRED.exec(description)?.groups ?? {};
    return (several ?? one).split('$').some((name) => name.trim().toLowerCase() === wanted);
  });
  return new Set(found.flatMap((description) => namesOf(description).map((name) => name.toLowerCase())));
}
