import { Control as LdaptsControl, type BerWriter } from 'ldapts';

import { BerCursor, TAG } from './ber.ts';

/** What goes along with a message (RFC 4511, section 4.1.11). */
export interface Control {
  readonly type: string;
  readonly value: Buffer | null;
}

/** Control of paged results (RFC 2696). */
const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/** Returns the controls that stand at the cursor. Throws a `ProtocolError`. */
export function parseControls(cursor: BerCursor, tag: number, limit: number): readonly Control[] {
  const end = cursor.enter(tag, limit);
  const controls: Control[] = [];
  while (cursor.at < end) {
    const controlEnd = cursor.enter(TAG.sequence, end);
    const type = cursor.text(TAG.octets, controlEnd);
    if (cursor.tag(controlEnd) === TAG.boolean) cursor.skip(TAG.boolean, controlEnd);
    const value = cursor.tag(controlEnd) === TAG.octets ? cursor.octets(TAG.octets, controlEnd) : null;
    cursor.skipRest(controlEnd);
    controls.push({ type, value });
  }
  return controls;
}

/**
 * Returns the cookie of paged results, empty where the server has no more (RFC 2696, section 3); `null`: it does
 * not tell. Throws a `ProtocolError` where the control is not as it should be: that proves no end.
 */
export function cookieOf(controls: readonly Control[]): Buffer | null {
  const control = controls.find(({ type }) => type === PAGED_RESULTS);
  if (control === undefined) return null;
  const value = control.value ?? Buffer.alloc(0);
  const cursor = new BerCursor(value);
  const end = cursor.enter(TAG.sequence, value.length);
  cursor.integer(TAG.integer, end);
  const cookie = cursor.octets(TAG.octets, end);
  cursor.atEnd(end);
  cursor.atEnd(value.length);
  return cookie;
}

/** A control whose value is there already. It is critical: a server that does not know it has to refuse the request. */
export class PlainControl extends LdaptsControl {
  readonly #value: Buffer | null;

  /** @param value `null`: it has none */
  constructor(type: string, value: Buffer | null) {
    super(type, { critical: true });
    this.#value = value;
  }

  protected override writeControl(writer: BerWriter): void {
    if (this.#value !== null) writer.writeBuffer(this.#value, TAG.octets);
  }
}
