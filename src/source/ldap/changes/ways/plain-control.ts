import { Control, type BerWriter } from 'ldapts';

import { TAG } from '../../ber/ber.ts';

/** A control whose value is there already. It is critical: a server that does not know it has to refuse the request. */
export class PlainControl extends Control {
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
