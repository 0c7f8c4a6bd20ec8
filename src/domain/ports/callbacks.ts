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
