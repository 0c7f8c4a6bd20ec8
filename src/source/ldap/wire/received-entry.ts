import type { SearchEntry } from 'ldapts';

import type { EntryPlace } from '../ber/entry-place.ts';
import type { Control } from '../ber/controls.ts';
import { decodeEntry } from './decode-entry.ts';
import type { RawEntry } from './raw-entry.ts';

export class ReceivedEntry implements RawEntry {
  readonly place: EntryPlace;
  readonly isPartial: boolean;
  readonly #controls: readonly Control[];

  constructor(place: EntryPlace, isPartial: boolean, controls: readonly Control[]) {
    this.place = place;
    this.isPartial = isPartial;
    this.#controls = controls;
  }

  get dn(): string {
    const { bytes, dnStart, dnEnd } = this.place;
    return bytes.toString('utf8', dnStart, dnEnd);
  }

  control(type: string): Buffer | null {
    const control = this.#controls.find((one) => one.type === type);
    return control === undefined ? null : (control.value ?? Buffer.alloc(0));
  }

  decode(): SearchEntry {
    return decodeEntry(this);
  }
}
