import { isUtf8 } from 'node:buffer';
import { EqualityFilter, OrFilter, type Filter } from 'ldapts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import type { Cell } from '../../mapping/values/raw-record.ts';
import { reordered, uuidText } from '../../mapping/values/uuid.ts';
import { textOf, type Attribute, type RawEntry } from '../wire/entry.ts';
import { sidText } from '../wire/sid.ts';

type Decoder = (bytes: Buffer) => string;

/**
 * Attributes whose bytes may by chance be valid UTF-8, so that the value does not show what it is. Keys in
 * lower case. Any other attribute is text, or base64 if it is not UTF-8 and the schema calls it bytes, or tells
 * nothing of it and the configuration uses it where bytes make sense.
 */
const BINARY: ReadonlyMap<string, Decoder> = new Map([
  ...['objectguid', 'ms-ds-consistencyguid', 'msexchmailboxguid'].map((name) => [name, guidText] as const),
  ['objectsid', sidText],
  ...'jpegphoto photo audio thumbnailphoto usercertificate cacertificate usersmimecertificate'
    .split(' ')
    .map((name) => [name, base64] as const),
]);

export function decoderOf(type: string): Decoder | null {
  const name = type.toLowerCase();
  return BINARY.get(name) ?? (name.endsWith(';binary') ? base64 : null);
}

/** Returns the values of an attribute; none of its bytes are kept. */
export function cellOf({ values }: Attribute, decoder: Decoder | null): Cell {
  const cells = values.map(decoder ?? textOf);
  return cells.length <= 1 ? cells[0] : cells;
}

/** Returns whether a value is no text in UTF-8. */
export const hasOtherBytes = ({ values }: Attribute): boolean => values.some((value) => !isUtf8(value));

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
    this.#isGuid = this.#name === 'objectguid';
  }

  /** Returns the key of an entry; `null`: it did not come, or is none. */
  of(entry: RawEntry): RecordKey | null {
    const value = entry.first(this.#name);
    if (value === null || value.length === 0) return null;
    return this.#isGuid ? guidText(value) : value.toString('utf8').toLowerCase();
  }

  /** Returns the filter for the entries of some keys. */
  filterOf(keys: readonly RecordKey[]): Filter {
    const { attribute } = this;
    const valueOf = (key: RecordKey): string | Buffer =>
      this.#isGuid ? reordered(Buffer.from(key.replaceAll('-', ''), 'hex')) : key;
    return new OrFilter({
      filters: keys.map((key) => new EqualityFilter({ attribute, value: valueOf(key) })),
    });
  }
}
