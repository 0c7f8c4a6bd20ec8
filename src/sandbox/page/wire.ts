/** What the sandbox tells its page, as JSON. No secret is in any of it. */
export interface Overview {
  readonly domainId: string;
  readonly orgCode: string;
  readonly counts: Readonly<
    Record<'units' | 'people' | 'messages' | 'medias' | 'schedules' | 'calls', number>
  >;
  /** Whether there is an address for what people answer. */
  readonly callback: boolean;
}

export interface UnitRow {
  readonly id: string;
  readonly name: string;
  /** People on it and below. */
  readonly people: number;
  /** Whether there are units below it. */
  readonly folds: boolean;
}

/** One page of a list; `page` begins with 0. */
export interface Paged<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

export interface PersonRow {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly locked: boolean;
  /** Path of names, and the title. */
  readonly positions: readonly string[];
}

export interface MessageRow {
  readonly id: string;
  readonly type: string;
  readonly shown: string;
  readonly at: number;
  readonly recipientCount: number;
  /** Usernames of the first recipients, as people see them and as they are sent back. */
  readonly recipients: readonly { readonly username: string; readonly sentAs: string }[];
  /** Ids of the template and medias that it names. */
  readonly names: readonly string[];
}

export interface MediaRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly picture: boolean;
}

export interface ScheduleRow {
  readonly id: string;
  readonly at: number;
  readonly fields: string;
}

export interface CallRow {
  readonly number: number;
  readonly at: number;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** HTTP status, the envelope's, or what kept the answer away. */
  readonly outcome: string;
  readonly ms: number | null;
}

export interface CallBodiesShown {
  readonly request: string;
  readonly answer: string;
}

/** What a person answers. */
export interface PersonAnswer {
  readonly username: string;
  readonly text: string;
}

/** What became of an answer, or why it was not sent. */
export interface AnswerOutcome {
  readonly http?: number;
  readonly reply?: string;
  readonly problem?: string;
}
