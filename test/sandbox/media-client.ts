import { createHash } from 'node:crypto';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { open, read, type Reply, type Wire } from './wire-client.ts';

export type Query = Readonly<Record<string, string>>;

export interface MediaWire extends Wire {
  /** Sends a form with one file. */
  readonly form: (path: string, file: Sent, more?: { query?: Query; fields?: Query }) => Promise<Reply>;
  /** Uploads a file as a form, with its right digest and size, and answers the id. */
  readonly file: (name: string, bytes: Buffer) => Promise<string>;
  /** Uploads an image as JSON and answers the id. */
  readonly image: (bytes: Buffer, more?: object) => Promise<string>;
  /** Reads bytes, with the domain. */
  readonly bytes: (path: string, query?: Query) => Promise<Got>;
}

export interface Sent {
  readonly bytes: Buffer;
  readonly name?: string;
  readonly part?: string;
  readonly type?: string;
}

export interface Got {
  readonly http: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export const IMAGES = '/v1/medias/images';
export const FILES = '/v1/medias';
export const COMPRESS = '/v1/medias/compress';

export async function openMedia(options: SandboxOptions = {}): Promise<MediaWire> {
  return mediaWire(await open(options));
}

export function mediaWire(wire: Wire): MediaWire {
  const form: MediaWire['form'] = async (path, sent, { query = {}, fields = {} } = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const { bytes, name = 'a.bin', part = 'file', type = '' } = sent;
    body.set(part, new Blob([new Uint8Array(bytes)], { type }), name);
    const url = `${path}?${new URLSearchParams(query).toString()}`;
    return read(await wire.raw('POST', url, { body }));
  };
  return {
    ...wire,
    form,
    file: async (name, bytes) => idOf(await form(FILES, { bytes, name }, { query: truth(bytes) })),
    image: async (bytes, more = {}) =>
      idOf(await wire.post(IMAGES, { file_name: 'a.png', file_content: bytes.toString('base64'), ...more })),
    bytes: async (path, query = {}) => {
      const asked = new URLSearchParams({ domain_id: wire.sandbox.domainId, ...query });
      const response = await wire.raw('GET', `${path}?${asked.toString()}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { http: response.status, headers: response.headers, bytes };
    },
  };
}

function idOf(reply: Reply): string {
  if (reply.status !== 0 || typeof reply.result !== 'string') throw new Error(`not uploaded: ${reply.text}`);
  return reply.result;
}

export function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** The digest and size that an upload must name. */
export function truth(bytes: Buffer): Query {
  return { file_digest: md5(bytes), file_size: bytes.length.toString() };
}
