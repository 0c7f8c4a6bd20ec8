import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { MediaFiles, Spooled } from './media-files.ts';

/** The file of a form; its bytes are on disk under a temporary name. */
export interface FormFile {
  readonly part: string;
  readonly name: string;
  readonly type: string;
  readonly spooled: Spooled;
}

/** A received multipart form. */
export interface Form {
  readonly bytes: number;
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly FormFile[];
  /** Why the form cannot be used, such as that its end is missing. */
  readonly problem?: string;
}

/** What is collected while the form comes in. */
interface Collected {
  readonly fields: Map<string, string>;
  readonly files: FormFile[];
  readonly spooling: Promise<void>[];
}

export function isForm(contentType: string): boolean {
  return /^multipart\/form-data\b/i.test(contentType);
}

/**
 * Receives multipart/form-data (interface: Media) and writes its files to disk while they come in. The whole
 * request is read, whatever is wrong with it, so that the client reads the answer. Throws where the client went
 * away.
 */
export async function receiveForm(request: IncomingMessage, files: MediaFiles): Promise<Form> {
  const collected: Collected = { fields: new Map(), files: [], spooling: [] };
  const stop = new AbortController();
  const counted = { bytes: 0 };
  try {
    const parser = collect(request.headers['content-type'] ?? '', { collected, files, signal: stop.signal });
    await feed(count(request, counted), parser);
    await Promise.all(collected.spooling);
    return { bytes: counted.bytes, fields: collected.fields, files: collected.files };
  } catch (error) {
    stop.abort();
    await Promise.allSettled(collected.spooling);
    await Promise.all(collected.files.map(({ spooled }) => files.drop(spooled)));
    if (request.destroyed && !request.complete) throw error;
    for await (const chunk of request) counted.bytes += lengthOf(chunk);
    const problem = `the form cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { bytes: counted.bytes, fields: new Map(), files: [], problem };
  }
}

type FileEvent = [
  part: string,
  stream: BusboyFileStream,
  name: string | undefined,
  encoding: string,
  type: string,
];

interface Collecting {
  readonly collected: Collected;
  readonly files: MediaFiles;
  readonly signal: AbortSignal;
}

/** Creates the parser. Throws for a content type without a boundary. */
function collect(contentType: string, { collected, files, signal }: Collecting): BusboyInstance {
  const parser = new Busboy({ headers: { 'content-type': contentType } });
  const spool = async (stream: BusboyFileStream, about: Omit<FormFile, 'spooled'>): Promise<void> => {
    collected.files.push({ ...about, spooled: await files.spool(stream, signal) });
  };
  parser.on('error', heardElsewhere);
  parser.on('field', (name, value) => {
    if (collected.fields.has(name)) parser.destroy(new Error(`field ${name} is given twice`));
    collected.fields.set(name, value);
  });
  parser.on('file', (...[part, stream, name, , type]: FileEvent) => {
    stream.on('error', heardElsewhere);
    const spooling = spool(stream, { part, name: unescapeName(name ?? ''), type });
    spooling.catch((error: unknown) =>
      parser.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    collected.spooling.push(spooling);
  });
  return parser;
}

/** Listens to the errors that come after the first one, which is thrown; unheard, they would end the process. */
function heardElsewhere(): void {}

/** Decodes what browsers and fetch escape in the name of a part, and nothing else. */
function unescapeName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n');
}

async function feed(chunks: AsyncIterable<unknown>, parser: BusboyInstance): Promise<void> {
  const failed = new AbortController();
  const finished = once(parser, 'finish', { signal: failed.signal });
  finished.catch(() => failed.abort());
  for await (const chunk of chunks) {
    if (failed.signal.aborted) break;
    if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), finished]);
  }
  parser.end();
  await finished;
}

async function* count(request: Readable, counted: { bytes: number }): AsyncGenerator {
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    counted.bytes += lengthOf(chunk);
    yield chunk;
  }
}

function lengthOf(chunk: unknown): number {
  return chunk instanceof Uint8Array ? chunk.length : 0;
}
