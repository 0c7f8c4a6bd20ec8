import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { bytesOf, fileToSend, type FileToSend } from './file-to-send.ts';

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
  return 'bytes' in body ? inMemory(body.bytes, body.contentType) : formToSend(body.form);
}

function inMemory(bytes: Uint8Array, contentType: string): WireBody {
  return { contentType, length: bytes.length, file: null, start: () => bytes };
}

/** One file of a form, which is read from the disk while it is sent. */
interface FilePart {
  /** Name of the part, such as `file` (interface, Media). */
  readonly part: string;
  readonly path: string;
  /** File name that is sent to the service; the last part of `path` if it is not given. */
  readonly fileName?: string;
  /** Media type; `application/octet-stream` if it is not given. */
  readonly contentType?: string;
}

/** A form of fields and one file. */
interface Form {
  readonly fields?: Readonly<Record<string, string>>;
  readonly file: FilePart;
}

/**
 * Lays out a form as multipart/form-data (RFC 7578): fields first, the file last. Throws a FileError about a
 * file that cannot be sent.
 */
async function formToSend({ fields = {}, file }: Form): Promise<WireBody> {
  const found = await fileToSend(file.path);
  // Random enough that no file has it by chance.
  const boundary = `----rollcall${randomBytes(18).toString('hex')}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`,
  );
  const { part, path, fileName = basename(path), contentType = 'application/octet-stream' } = file;
  const head = `${disposition(part)}; filename="${escape(fileName)}"\r\nContent-Type: ${oneLine(contentType)}`;
  const before = Buffer.from(`${texts.join('')}--${boundary}\r\n${head}\r\n\r\n`);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: before.length + found.size + after.length,
    file: found,
    async *start() {
      yield before;
      yield* bytesOf(found);
      yield after;
    },
  };
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${escape(name)}"`;
}

/** Escapes a name as browsers do (HTML, "multipart/form-data encoding algorithm"). */
function escape(name: string): string {
  return name.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A media type cannot begin another header. */
function oneLine(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/gu, '');
}
