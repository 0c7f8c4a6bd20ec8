/** An approval that a person gave. */
export interface Approval {
  /** Hash under which changes are held. */
  readonly hash: string;
  /** Username of the approver who answered a message, or "USER (command line)"; `null`: an approval of an earlier version. */
  readonly by: string | null;
}

/** An answer to a message that releases what is held under a hash. */
export interface Reply {
  /** Signature of the callback, in lower-case hex: each is taken once. */
  readonly signature: string;
  readonly hash: string;
  /** Username of who answered. */
  readonly by: string;
  /** The answer as it was written. */
  readonly text: string;
  /** When it came, ms since the epoch. */
  readonly at: number;
  /** How many changes were held under the hash when it came. */
  readonly count: number;
}

/** A reply, and what it came to. */
export interface SettledReply extends Reply {
  /** Run that took it; `null`: none yet. */
  readonly run: string | null;
  /** How many of the changes are not done after that run; `null`: not known, or nothing was held any more. */
  readonly left: number | null;
}
