import { formToSend, type Form } from './form.ts';
import type { FileToSend } from './file-to-send.ts';

/** Body of a call: JSON as text, bytes of another type, or a form with a file. */
export type CallBody =
  string | { readonly bytes: Uint8Array; readonly contentType: string } | { readonly form: Form };

/** Body that is ready to be sent, again for each attempt. */
export interface WireBody {
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  /** File that is read while it is sent; `null`: everything is in memory. */
  readonly file: FileToSend | null;
  /** Returns the body from its begin; a body with a file can throw a FileError while it is read. */
  start(): Uint8Array | AsyncIterable<Uint8Array>;
}

/** Returns the body of a call for the wire. Throws a FileError about a file that cannot be sent. */
export async function wireBody(body: CallBody): Promise<WireBody> {
  if (typeof body === 'string') return inMemory(Buffer.from(body), 'application/json');
  if ('bytes' in body) return inMemory(body.bytes, body.contentType);
  const { contentType, length, file, bytes } = await formToSend(body.form);
  return { contentType, length, file, start: bytes };
}

function inMemory(bytes: Uint8Array, contentType: string): WireBody {
  return { contentType, length: bytes.length, file: null, start: () => bytes };
}
