import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { bytesOf, fileToSend, type FileToSend } from './file-to-send.ts';

/** One file of a form, which is read from the disk while it is sent. */
export interface FilePart {
  /** Name of the part, such as `file` (interface, Media). */
  readonly part: string;
  readonly path: string;
  /** File name that the service is told; the last part of `path` where it is not given. */
  readonly fileName?: string;
  /** Media type; `application/octet-stream` where it is not given. */
  readonly contentType?: string;
}

/** A form of fields and one file. */
export interface Form {
  readonly fields?: Readonly<Record<string, string>>;
  readonly file: FilePart;
}

/** A form whose file was looked at; its bytes can be had any number of times. */
export interface FormToSend {
  readonly contentType: string;
  /** Bytes of the whole form. */
  readonly length: number;
  readonly file: FileToSend;
  /** Yields the form. Throws a FileError where its file has changed or cannot be read. */
  readonly bytes: () => AsyncGenerator<Uint8Array, void>;
}

/**
 * Lays out a form as multipart/form-data (RFC 7578): fields first, the file last. Throws a FileError about a
 * file that cannot be sent.
 */
export async function formToSend({ fields = {}, file }: Form): Promise<FormToSend> {
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
    async *bytes() {
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
