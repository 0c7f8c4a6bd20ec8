import { createHash } from 'node:crypto';
import { isMd5 } from '../../interface/operation.ts';
import {
  Download,
  invalid,
  noMatching,
  type FormFile,
  type Operation,
  type Request,
  type Service,
} from './operation.ts';
import { flagIn, numberIn, requiredField, requiredObject } from './request-parts.ts';
import type { MediaRecord } from '../world/records.ts';
import { isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

/*
 * Interface: Media. Bytes stay what they are: nothing is scaled, turned, compressed or translated, which takes
 * programs that are not here.
 */

/** Uploads an image as JSON. */
export const uploadImage: Operation = (service, { body }) => {
  const fields = requiredObject(body);
  const upload = jsonUpload(fields);
  const type = textOf(fields['file_type']);
  return keep(service, { ...upload, type: type === '' ? requiredImage(upload.bytes) : type }).id;
};

/** Uploads an image as a form. */
export const uploadImageForm: Operation = (service, request) => {
  const { name, bytes } = requiredFile(request, 'file');
  if (name === '') throw invalid('the part "file" has no file name');
  const image = requiredImage(bytes);
  const type = valueOf(request, 'file_type');
  return keep(service, { name, bytes, type: type === '' ? image : type, ...truthOf(request) }).id;
};

const ANY_TYPE = 'application/octet-stream';

/** Uploads a file as JSON. */
export const uploadFile: Operation = (service, { body }) => {
  const fields = requiredObject(body);
  const upload = jsonUpload(fields);
  const metadata = fields['file_metadata'];
  return keep(service, {
    ...upload,
    type: imageType(upload.bytes) ?? ANY_TYPE,
    metadata: isObject(metadata) ? metadata : {},
  }).id;
};

/**
 * Uploads a file as a form. Where `filename` stands is not shown: it is looked for among the fields, in the query, and
 * as the name of the part.
 */
export const uploadFileForm: Operation = (service, request) => {
  const { name, type, bytes } = requiredFile(request, 'file');
  const value = valueOf(request, 'filename');
  return keep(service, {
    name: value === '' ? name : value,
    type: type === '' ? ANY_TYPE : type,
    bytes,
    ...truthOf(request),
  }).id;
};

/** Shows an image as it was uploaded. The size that is asked for does not matter. */
export const viewImage: Operation = (service, { params, query }) => {
  const { bytes, type } = mediaOf(service, params['media_id'], query.get('type'));
  requiredImage(bytes);
  return new Download(bytes, { 'Content-Type': type });
};

export const downloadFile: Operation = (service, { params }) => {
  const { bytes, type, name } = mediaOf(service, params['media_id']);
  const encoded = percentEncoded(name);
  const disposition = `attachment; filename="${encoded}"; filename*=UTF-8''${encoded}`;
  return new Download(bytes, { 'Content-Type': type, 'Content-Disposition': disposition });
};

export const mediaInfo: Operation = (service, { params, query }) => {
  const media = mediaOf(service, params['media_id_or_media_md5'], query.get('type'));
  const { id, name, digest, bytes, refreshed, metadata } = media;
  return { id, name, digest, state: 0, size: bytes.length, timestamp: refreshed, metadata };
};

const DAY_MS = 86_400_000;

/** Answers a translation with a placeholder that is called so. */
export const translateMedia: Operation = (service, { params, query }) => {
  const media = mediaOf(service, params['media_id']);
  const text = `PLACEHOLDER, made by a sandbox: ${media.name} as ${query.get('dest_type') ?? ''}`;
  const upload = { bytes: Buffer.from(text), type: 'text/plain', digest: '' };
  const placeholder = keep(service, { ...upload, name: `${media.name} (placeholder)` });
  const created = service.now();
  return {
    media_id: media.id,
    dest_ids: [placeholder.id],
    name: media.name,
    source_type: query.get('source_type'),
    dest_type: query.get('dest_type'),
    create_time: created,
    expire_time: created + DAY_MS,
  };
};

/** Keeps an image as often as is asked for, and says the sizes that were asked for. */
export const compressImage: Operation = (service, request) => {
  const { name, bytes } = requiredFile(request, 'media');
  const values = new URLSearchParams(request.query);
  for (const [field, value] of Object.entries(request.form?.fields ?? {})) values.set(field, value);
  const upload = { name, bytes, type: requiredImage(bytes), digest: values.get('digest') ?? '' };
  const kept = (): WireObject => ({ media_id: keep(service, upload).id, size: bytes.length });
  const sides = (before: string, byDefault: number): WireObject => ({
    width: numberIn(values, `${before}width`, byDefault),
    height: numberIn(values, `${before}height`, byDefault),
  });
  const [thumb, original] = [flagIn(values, 'thumb'), flagIn(values, 'original')];
  return {
    media: { ...kept(), ...sides('', 800) },
    thumb_media: thumb ? { ...kept(), ...sides('thumb_', 180), blob: bytes.toString('base64') } : undefined,
    original_media: original ? { ...kept(), ...sides('', 800) } : undefined,
  };
};

interface Upload extends Pick<MediaRecord, 'name' | 'type' | 'bytes'> {
  readonly metadata?: WireObject;
  /** As the call gives it; "" for none. */
  readonly digest: string;
  readonly size?: string;
}

function jsonUpload(body: WireObject): Pick<Upload, 'name' | 'bytes' | 'digest'> {
  return {
    name: requiredField(body, 'file_name'),
    bytes: Buffer.from(requiredField(body, 'file_content'), 'base64'),
    digest: textOf(body['file_digest']),
  };
}

function truthOf({ query }: Request): Pick<Upload, 'digest' | 'size'> {
  return { digest: query.get('file_digest') ?? '', size: query.get('file_size') ?? '' };
}

/** Keeps what agrees with what the call says of it; a digest that is no MD5 in hex cannot be compared. */
function keep(service: Service, upload: Upload): MediaRecord {
  const { name, type, bytes, metadata = {}, digest, size = '' } = upload;
  if (bytes.length === 0) throw invalid('the file is empty');
  if (size !== '' && size !== bytes.length.toString())
    throw invalid(`file_size is ${size}, and the file has ${bytes.length} bytes`);
  const md5 = createHash('md5').update(bytes).digest('hex');
  if (isMd5(digest) && digest.toLowerCase() !== md5)
    throw invalid(`the digest is ${digest}, and the MD5 of the bytes ${md5}`);
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(type))
    throw invalid(`"${type}" is no content type`);
  const id = service.ids.take();
  return service.world.medias.put({ id, name, digest: md5, bytes, type, metadata, refreshed: service.now() });
}

/** Returns the one file of a form; throws Refused where there is another part, more than one, or none. */
function requiredFile({ form }: Request, part: string): FormFile {
  const [file, ...others] = form?.files ?? [];
  if (others.length > 0) throw invalid('the form has more than one file');
  if (file?.part !== part) throw invalid(`the form has no file under "${part}"`);
  return file;
}

/** Returns the value of a form's field; where there is none, of the query. */
function valueOf({ form, query }: Request, name: string): string {
  return form?.fields[name] ?? query.get(name) ?? '';
}

function mediaOf({ world }: Service, key = '', type: string | null = 'ID'): MediaRecord {
  const media = type === 'DIGEST' ? world.medias.byDigest(key) : world.medias.get(key);
  if (media === undefined) throw noMatching('media');
  return media;
}

function textOf(value: WireValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Encodes a file name as RFC 5987 wants it; `filename` takes the same, since the interface says "percent-encoded". */
function percentEncoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Content types of images, and how their bytes begin, in hex. */
const IMAGES: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /^ffd8ff/,
  'image/png': /^89504e470d0a1a0a/,
  'image/gif': /^47494638/,
  'image/webp': /^52494646.{8}57454250/,
  'image/tiff': /^(?:49492a00|4d4d002a)/,
  'image/avif': /^.{8}6674797061766966/,
};

function imageType(bytes: Buffer): string | undefined {
  const head = bytes.toString('hex', 0, 12);
  return Object.entries(IMAGES).find(([, begins]) => begins.test(head))?.[0];
}

function requiredImage(bytes: Buffer): string {
  const type = imageType(bytes);
  if (type === undefined) throw invalid('the file is no image (jpg, png, gif, webp, tiff and avif are)');
  return type;
}
