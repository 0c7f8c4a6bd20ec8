import { EqualityFilter, OrFilter, type Attribute, type Filter } from 'ldapts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import type { VendorName } from '../../../domain/source-choices.ts';
import { asText } from '../wire/entry-values.ts';
import { valueOf, type RawEntry } from '../wire/raw-entry.ts';
import { sidText } from '../wire/sid.ts';
import { reordered, uuidText } from '../../mapping/values/uuid.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';

type Decoder = (bytes: Buffer) => string;

/**
 * Attributes whose bytes may by chance be valid UTF-8, so that the value does not show what it is. Keys in
 * lower case. Any other attribute is text, or base64 if it is not UTF-8 and the schema calls it bytes, or tells
 * nothing of it and the configuration uses it where bytes make sense.
 */
const BINARY: ReadonlyMap<string, Decoder> = new Map([
  ['objectguid', guidText],
  ['ms-ds-consistencyguid', guidText],
  ['msexchmailboxguid', guidText],
  ['objectsid', sidText],
  ...[
    'jpegphoto',
    'photo',
    'audio',
    'thumbnailphoto',
    'usercertificate',
    'cacertificate',
    'usersmimecertificate',
  ].map((name) => [name, base64] as const),
]);

export function decoderOf(type: string): Decoder | null {
  const name = type.toLowerCase();
  return BINARY.get(name) ?? (name.endsWith(';binary') ? base64 : null);
}

/**
 * Returns the values of an attribute. ldapts keeps both the bytes and its attempt at text. Neither is kept
 * here, because a small Buffer keeps a whole page in memory.
 */
export function cellOf(attribute: Attribute, decoder: Decoder | null): Cell {
  const values = decoder === null ? attribute.values.map(asText) : attribute.parsedBuffers.map(decoder);
  return values.length <= 1 ? values[0] : values;
}

/** Returns whether a value is no UTF-8; ldapts then leaves its bytes as they are. */
export function hasOtherBytes({ values }: Attribute): boolean {
  return values.some((value) => typeof value !== 'string');
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

/** Returns Microsoft's GUID as text. */
function guidText(bytes: Buffer): string {
  return bytes.length === 16 ? uuidText(reordered(bytes)) : base64(bytes);
}

/** So many keys stand in one filter: servers look each of them up, and a page of entries comes back. */
export const KEYS_AT_ONCE = 200;

/** The id that a kind of server gives each entry itself, and that nothing changes. */
export class EntryKeys {
  readonly attribute: string;
  readonly #name: string;
  readonly #isGuid: boolean;

  constructor(attribute: string) {
    this.attribute = attribute;
    this.#name = attribute.toLowerCase();
    this.#isGuid = attribute === GUID;
  }

  /** Returns the key of an entry; `null`: it did not come, or is none. */
  of(entry: RawEntry): RecordKey | null {
    const value = valueOf(entry.place, this.#name);
    return value === null || value.length === 0 ? null : this.ofBytes(value);
  }

  ofBytes(value: Buffer): RecordKey {
    return this.#isGuid ? guidText(value) : value.toString('utf8').toLowerCase();
  }

  /** Returns the filter for the entries of some keys. */
  filterOf(keys: readonly RecordKey[]): Filter {
    const { attribute } = this;
    const filters = keys.map((key) => new EqualityFilter({ attribute, value: this.#valueOf(key) }));
    return new OrFilter({ filters });
  }

  #valueOf(key: RecordKey): string | Buffer {
    return this.#isGuid ? guidBytes(key) : key;
  }
}

const GUID = 'objectGUID';

/** Returns the bytes of a GUID, as `guidText` writes it. */
function guidBytes(text: string): Buffer {
  return reordered(Buffer.from(text.replaceAll('-', ''), 'hex'));
}

/** Attribute of the key, by vendor; `null`: the server does not report what changed, and keys are not needed. */
export const KEY_ATTRIBUTES: Readonly<Record<VendorName, string | null>> = {
  openldap: 'entryUUID',
  '389': null,
  freeipa: null,
  activeDirectory: GUID,
  samba: GUID,
};
