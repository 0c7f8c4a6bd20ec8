import type { Audience } from '../settings.ts';

/** A message of the service (interface, Message push), without its audience. */
export type Message =
  | { readonly type: 'text'; readonly content: string }
  | {
      readonly type: 'template';
      readonly templateId: string;
      /** Values by key. */
      readonly data: Readonly<Record<string, string>>;
    };

/** Port: sends messages. Throws a RefusedError where one was surely not sent, an AmbiguousError where nobody knows. */
export interface Messenger {
  push(to: Audience, message: Message, signal: AbortSignal): Promise<void>;
}
