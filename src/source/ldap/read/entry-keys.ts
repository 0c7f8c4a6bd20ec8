import { EqualityFilter, OrFilter, type Filter } from 'ldapts';

import type { VendorName } from '../../../domain/source-choices.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { guidText } from './attributes.ts';
import type { RawEntry } from '../wire/raw-entry.ts';
import { valueOf } from '../ber/value-of.ts';

/** So many keys stand in one filter: servers look each of them up, and a page of entries comes back. */
export const KEYS_AT_ONCE = 200;

/** The id that a kind of server gives each entry itself, and that nothing changes. */
export class EntryKeys {
  readonly attribute: string;
  readonly #name: Buffer;
  readonly #isGuid: boolean;

  constructor(attribute: string) {
    this.attribute = attribute;
    this.#name = Buffer.from(attribute.toLowerCase());
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
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  return Buffer.from(order.map((index) => bytes[index] ?? 0));
}

/** Returns the text of a UUID's 16 bytes (RFC 4122, section 3), as OpenLDAP's `entryUUID` has it. */
export function uuidText(bytes: Buffer): RecordKey {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

/** Attribute of the key, by vendor; `null`: the server does not tell what changed, and nobody asks for keys. */
export const KEY_ATTRIBUTES: Readonly<Record<VendorName, string | null>> = {
  openldap: 'entryUUID',
  '389': null,
  freeipa: null,
  activeDirectory: GUID,
  samba: GUID,
};
