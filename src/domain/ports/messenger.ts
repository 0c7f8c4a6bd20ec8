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

/** Port: sends messages. Throws a RefusedError where one was surely not sent, an AmbiguousError where nobody knows. */
export interface Messenger {
  push(to: Audience, message: Message, signal: AbortSignal): Promise<void>;
  /** Brings a file to the service (POST /v1/medias). Throws a FileError where it cannot be read. */
  uploadFile(file: Attachment, signal: AbortSignal): Promise<Uploaded>;
}

/** A message or event of somebody, once it is known to come from the service (interface, section Events). */
export interface ReceivedMessage {
  /** Signature of the callback, in lower-case hex. */
  readonly signature: string;
  /** Username of who wrote it; `null`: nobody that the signed text names. */
  readonly from: string | null;
  /** Domain of who wrote it; `null`: not told. */
  readonly domain: string | null;
  /** What was written, or the key of what was pressed; `null`: neither, as of a picture. */
  readonly text: string | null;
  /** Whether something was pressed, and nobody has written. */
  readonly isEvent: boolean;
  /** When it came, ms on the service's clock. */
  readonly at: number;
}

/** Takes a message, and returns what its sender is answered. Rejects if it could not be taken: it may come again. */
export type TakeMessage = (message: ReceivedMessage) => Promise<string>;
