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
    }
  | {
      readonly type: 'template';
      readonly templateId: string;
      /** Values by key. */
      readonly data: Readonly<Record<string, string>>;
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
