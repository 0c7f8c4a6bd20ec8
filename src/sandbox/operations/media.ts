import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../interface/json.ts';
import { isMd5 } from '../../interface/operation.ts';
import type { MEDIA } from '../../interface/operations/media.ts';
import { invalid, Refused, type Service, type Work } from './operation.ts';
import type { MediaRecord } from '../world/records.ts';

const ANY_TYPE = 'application/octet-stream';
const DAY_MS = 86_400_000;

/**
 * Interface: Media. Bytes stay what they are: nothing is scaled, turned, compressed or translated, which takes
 * programs that are not here.
 */
export const mediaWork: Work<keyof typeof MEDIA> = {
  uploadImage: (service, { body }) => {
    const bytes = Buffer.from(body.file_content, 'base64');
    const type = body.file_type || requiredImage(bytes);
    return keep(service, { name: body.file_name, bytes, type, digest: body.file_digest }).id;
  },
  uploadImageForm: (service, { query, file: { name, bytes } }) => {
    if (name === '') throw invalid('the part "file" has no file name');
    const image = requiredImage(bytes);
    const { file_type: type = image, file_digest: digest, file_size: size } = query;
    return keep(service, { name, bytes, type, digest, size }).id;
  },
  uploadFile: (service, { body }) => {
    const bytes = Buffer.from(body.file_content, 'base64');
    const { file_name: name, file_digest: digest, file_metadata: metadata } = body;
    return keep(service, { name, bytes, type: imageType(bytes) ?? ANY_TYPE, digest, metadata }).id;
  },
  uploadFileForm: (service, { query, file: { type, bytes } }) => {
    const { filename: name, file_digest: digest, file_size: size } = query;
    return keep(service, { name, bytes, type: type || ANY_TYPE, digest, size }).id;
  },
  // The size that is asked for does not matter.
  viewImage: (service, { params, query }) => {
    const { bytes, type } = mediaOf(service, params.media_id, query.type);
    requiredImage(bytes);
    return { bytes, headers: { 'Content-Type': type } };
  },
  downloadFile: (service, { params }) => {
    const { bytes, type, name } = mediaOf(service, params.media_id);
    const encoded = percentEncoded(name);
    const disposition = `attachment; filename="${encoded}"; filename*=UTF-8''${encoded}`;
    return { bytes, headers: { 'Content-Type': type, 'Content-Disposition': disposition } };
  },
  mediaInfo: (service, { params, query }) => {
    const media = mediaOf(service, params.media_id_or_media_md5, query.type);
    const { id, name, digest, bytes, refreshed, metadata } = media;
    return { id, name, digest, state: 0, size: bytes.length, timestamp: refreshed, metadata };
  },
  // Answers a placeholder that is called so.
  translateMedia: (service, { params, query }) => {
    const { id, name } = mediaOf(service, params.media_id);
    const text = `PLACEHOLDER, made by a sandbox: ${name} as ${query.dest_type}`;
    const upload = { bytes: Buffer.from(text), type: 'text/plain', name: `${name} (placeholder)` };
    const { id: placeholder, refreshed } = keep(service, upload);
    const times = { create_time: refreshed, expire_time: refreshed + DAY_MS };
    return { ...query, media_id: id, dest_ids: [placeholder], name, ...times };
  },
  // Keeps an image as often as is asked for, and says the sizes that were asked for.
  compressImage: (service, { query, file: { name, bytes } }) => {
    const upload = { name, bytes, type: requiredImage(bytes), digest: query.digest };
    const kept = (width: number, height: number): JsonObject => ({
      media_id: keep(service, upload).id,
      size: bytes.length,
      width,
      height,
    });
    const thumb = (): Json => ({
      ...kept(query.thumb_width, query.thumb_height),
      blob: bytes.toString('base64'),
    });
    return {
      media: kept(query.width, query.height),
      thumb_media: query.thumb ? thumb() : undefined,
      original_media: query.original ? kept(query.width, query.height) : undefined,
    };
  },
};

interface Upload extends Pick<MediaRecord, 'name' | 'type' | 'bytes'> {
  readonly metadata?: JsonObject | null | undefined;
  readonly digest?: string | null | undefined;
  readonly size?: number | undefined;
}

/** Keeps what agrees with what the call says of it; a digest that is no MD5 in hex cannot be compared. */
function keep(service: Service, { name, type, bytes, metadata, digest, size }: Upload): MediaRecord {
  if (bytes.length === 0) throw invalid('the file is empty');
  if ((size ?? bytes.length) !== bytes.length)
    throw invalid(`file_size is ${size}, and the file has ${bytes.length} bytes`);
  const md5 = createHash('md5').update(bytes).digest('hex');
  if (isMd5(digest ?? '') && digest?.toLowerCase() !== md5)
    throw invalid(`the digest is ${digest}, and the MD5 of the bytes ${md5}`);
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(type))
    throw invalid(`"${type}" is no content type`);
  const media = { name, digest: md5, bytes, type, metadata: metadata ?? {}, refreshed: service.now() };
  return service.world.medias.put({ id: service.newId(), ...media });
}

function mediaOf({ world }: Service, key: string, type?: string): MediaRecord {
  const media = type === 'DIGEST' ? world.medias.byDigest(key) : world.medias.get(key);
  if (media === undefined) throw new Refused('missing', 'no matching media');
  return media;
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
