import type { Attachment } from '../domain/ports/messenger.ts';
import type { ChannelName } from '../domain/settings.ts';
import type { Notice } from './notices.ts';

/** A notice in words, on its way out. */
export interface Outgoing {
  readonly notice: Notice;
  /** Id of the run that it is about. */
  readonly run: string;
  /** When that run ended, ms since the epoch. */
  readonly at: number;
  readonly title: string;
  /** All of the message, the title included. */
  readonly text: string;
  /** The plan as a page, with the first message about what is held. */
  readonly page: Attachment | null;
}

/**
 * Port: one way on which notices leave. Throws an AmbiguousError if it is unknown whether a notice arrived; after
 * any other error it did not.
 */
export interface Channel {
  readonly name: ChannelName;
  /** Whether an answer to a message releases what is held. */
  readonly takesReplies: boolean;
  send(outgoing: Outgoing, signal: AbortSignal): Promise<void>;
  /** Sends the page as a message of its own; absent: it goes along. */
  readonly sendPage?: (page: Attachment, signal: AbortSignal) => Promise<void>;
}

/** A channel that can be tried without a message. */
export interface Trial {
  /** Returns what was done, without a secret in it. Throws why no message would arrive. */
  check(signal: AbortSignal): Promise<string>;
}
