import type { SearchEntry } from 'ldapts';

import type { EntryPlace } from '../ber/entry-place.ts';

/**
 * One entry of a search as it came: its bytes were checked to be whole (RFC 4511, section 4.5.2), and nothing of
 * it was decoded. It keeps the piece of the answer that it came in (about 64 kB) in memory.
 */
export interface RawEntry {
  /** Name of the entry; decoded when it is asked for. */
  readonly dn: string;
  /**
   * Whether a list of values is only a part of it (`;range=`, Active Directory): such an entry has to be decoded
   * and read to its end (`readWhole`), and its fingerprint says nothing of the values that are missing here.
   */
  readonly isPartial: boolean;
  /** Where name and attributes stand. */
  readonly place: EntryPlace;
  /** Returns the value of a control that came with the entry (empty where it has none); `null`: no such control. */
  control(type: string): Buffer | null;
  /** Returns the entry as ldapts would have; the bytes of its values are those of the answer, not copied. */
  decode(): SearchEntry;
}
