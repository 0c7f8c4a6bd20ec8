/** What one query or search of a read delivered, as proof that the read ran to its end. */
export interface SourcePart {
  readonly part: 'units' | 'people' | 'positions' | 'partners' | 'members';
  /** Name of the source, where there are several. */
  readonly from?: string;
  /** Number of raw records delivered. */
  readonly records: number;
  /** People: how many of these the settings leave out, so that they were not yielded; absent: none. */
  readonly leftOut?: number;
  /** LDAP: number of pages read, and result code of the last one; SQL: one. */
  readonly pages: number;
  /** What ended the read: `cookie empty`, `end of rows`. */
  readonly end: string;
  /**
   * Share of the records of the last complete read that this part has to have, in percent: fewer cannot be told from a
   * part that ended early. Absent: the source itself proves its end.
   */
  readonly atLeastPercent?: number;
  /** LDAP, where the part has several bases: how many records each of them has. */
  readonly bases?: readonly BaseSize[];
}

export interface BaseSize {
  /** DN in canonical spelling. */
  readonly base: string;
  readonly records: number;
}

/** An exclusion of the configuration. */
export interface Exclusion {
  /** Place in the configuration: `source.people.exclude[0]`. */
  readonly place: string;
  readonly text: string;
  /** Whether there is anything that it keeps out. */
  readonly isMatched: boolean;
}

/** A name in the configuration that is not in the server's schema and that no entry has. */
export interface UnknownAttribute {
  readonly part: SourcePart['part'];
  readonly name: string;
  /** Places of the name in the configuration: `source.people.fields.email`. */
  readonly places: readonly string[];
  /** Name that was probably meant. */
  readonly suggestion: string | null;
}
