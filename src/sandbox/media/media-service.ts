import type { Readable } from 'node:stream';
import { isMd5 } from '../../interface/operation.ts';
import { kindOfBytes, type ImageKind } from './images.ts';
import type { MediaFiles, Spooled } from './media-files.ts';
import type { Form, FormFile } from './receive-form.ts';
import { invalid, type Service } from '../operations/operation.ts';
import { requiredField } from '../operations/request-parts.ts';
import type { MediaRecord } from '../world/records.ts';
import type { WireObject, WireValue } from '../world/wire-value.ts';

/** What the operations on medias work with; they change and see the world without a delay. */
export interface MediaService extends Service {
  readonly files: MediaFiles;
}

export interface MediaRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: WireValue | undefined;
  readonly form: Form | undefined;
}

/** An answer that is bytes. */
export interface Bytes {
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  /** Opens the bytes, or the first ones of them. */
  readonly open: (length?: number) => Promise<Readable>;
}

/** Returns the `result` of the envelope, or throws Refused. */
export type MediaOperation = (service: MediaService, request: MediaRequest) => Promise<WireValue>;

/** Returns the bytes of the answer, or throws Refused. */
export type BytesOperation = (service: MediaService, request: MediaRequest) => Promise<Bytes>;

type MediaDraft = Pick<MediaRecord, 'name' | 'type' | 'metadata'>;

/** Keeps bytes, and the record of them: the file first, so that no record is without one. */
export async function keepMedia(
  service: MediaService,
  spooled: Spooled,
  { name, type, metadata }: MediaDraft,
): Promise<MediaRecord> {
  await service.files.keep(spooled);
  const { digest, size } = spooled;
  const id = service.ids.take();
  return service.world.medias.put({ id, name, digest, size, type, metadata, refreshed: service.now() });
}

/** Keeps bytes that are in memory. */
export async function keepBytes(
  service: MediaService,
  bytes: Uint8Array,
  draft: MediaDraft,
): Promise<MediaRecord> {
  return keepMedia(service, await service.files.spoolBytes(bytes), draft);
}

/** Returns the one file of a form; throws Refused where there is another part, more than one, or none. */
export function requiredFile({ form }: Pick<MediaRequest, 'form'>, part: string): FormFile {
  const { files, problem }: Pick<Form, 'files' | 'problem'> = form ?? {
    files: [],
    problem: 'Content-Type is not multipart/form-data',
  };
  if (problem !== undefined) throw invalid(problem);
  const [file, ...others] = files;
  if (others.length > 0) throw invalid('the form has more than one file');
  if (file?.part !== part) throw invalid(`the form has no file under "${part}"`);
  return file;
}

/** Returns the value of a form's field; where there is none, of the query. */
export function fieldOrQuery({ form, query }: MediaRequest, name: string): string {
  return form?.fields.get(name) ?? query.get(name) ?? '';
}

/** Reads a byte[] of JSON, which is base64. */
export function readBytes(body: WireObject, name: string): Buffer {
  const text = requiredField(body, name);
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const whole = text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding;
  if (!whole) throw invalid(`${name} is no base64`);
  return bytes;
}

/** Compares bytes with what the call says of them; a digest that is no MD5 in hex cannot be compared. */
export function requireSame(
  spooled: Spooled,
  given: { readonly digest: string; readonly size: string },
): void {
  if (spooled.size === 0) throw invalid('the file is empty');
  if (given.size !== '' && given.size !== spooled.size.toString())
    throw invalid(`file_size is ${given.size}, and the file has ${spooled.size} bytes`);
  if (isMd5(given.digest) && given.digest.toLowerCase() !== spooled.digest)
    throw invalid(`the digest is ${given.digest}, and the MD5 of the bytes ${spooled.digest}`);
}

/** Returns the kind of an image by its first bytes; `undefined` for what is no image. */
export async function imageKindOf(path: string, { files }: MediaService): Promise<ImageKind | undefined> {
  return kindOfBytes(await files.head(path, 16));
}

/** Returns a text of a JSON body that need not be there. */
export function optionalText(body: WireObject, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw invalid(`${name} is no text`);
  return value;
}

/** Checks a content type that goes into a header as it is. */
export function checkedType(type: string): string {
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(type)) {
    throw invalid(`"${type}" is no content type`);
  }
  return type;
}
