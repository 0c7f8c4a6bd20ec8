import type { Audience } from '../settings.ts';

/** A message of the service (interface, Message push), without its audience. */
export type Message =
  | { readonly type: 'text'; readonly content: string }
  | {
      readonly type: 'file';
      readonly mediaId: string;
      /** Name of the file. */
      readonly name: string;
      /** Bytes. */
      readonly size: number;
    };

/** A file that goes out with a message. */
export interface Attachment {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
}

/** A file as the service has it. */
export interface Uploaded {
  readonly mediaId: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Port: sends messages. Throws a RefusedError if a message was certainly not sent, an AmbiguousError if that
 * is unknown.
 */
export interface Messenger {
  /** Pushes a message (POST /v1/apps/mbox). */
  push(to: Audience, message: Message, signal: AbortSignal): Promise<void>;
  /** Brings a file to the service (POST /v1/medias). Throws a FileError if it cannot be read. */
  uploadFile(file: Attachment, signal: AbortSignal): Promise<Uploaded>;
}

/** A message or event of a person, once it is known to come from the service (interface, section Events). */
export interface ReceivedMessage {
  /** Signature of the callback, in lower-case hex. */
  readonly signature: string;
  /** Username of the sender; `null`: the signed text names none. */
  readonly from: string | null;
  /** Domain of the sender; `null`: unknown. */
  readonly domain: string | null;
  /** The text that was written, or the key of the button that was pressed; `null`: neither, e.g. a picture. */
  readonly text: string | null;
  /** Whether a button was pressed, rather than a text written. */
  readonly isEvent: boolean;
  /** When it came, ms on the service's clock. */
  readonly at: number;
}

/** Takes a message, and returns what its sender is answered. Rejects if it could not be taken: it may come again. */
export type TakeMessage = (message: ReceivedMessage) => Promise<string>;
