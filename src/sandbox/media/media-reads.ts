import { Readable } from 'node:stream';
import { asksNothing, IMAGE_FORMATS, readWish, render, type ImageWish } from './images.ts';
import {
  imageKindOf,
  type Bytes,
  type BytesOperation,
  type MediaOperation,
  type MediaService,
} from './media-service.ts';
import { invalid, noMedia } from '../operations/operation.ts';
import { flag } from '../operations/request-parts.ts';
import type { MediaRecord } from '../world/records.ts';

/** Side of the default thumbnail (interface: Limits, compress defaults). */
const THUMBNAIL = 180;

/** Shows an image (interface: Media, View image), scaled where that is asked, in the format in which it is kept. */
export const viewImage: BytesOperation = async (service, { params, query }) => {
  const wish = readWish(withoutFormat(query));
  const thumbnail = flag(query, 'default_thumbnail', false);
  const media = findMedia(service, params['media_id'] ?? '', typeOf(query));
  if (media === undefined) throw noMedia();
  const small = thumbnail && wish.width === 0 && wish.height === 0;
  return shown(service, media, small ? { ...wish, width: THUMBNAIL, height: THUMBNAIL } : wish);
};

/** Downloads a media (interface: Media, Download file). */
export const downloadFile: BytesOperation = async (service, { params }) => {
  const media = findMedia(service, params['media_id'] ?? '', 'ID');
  if (media === undefined) throw noMedia();
  const name = percentEncoded(media.name);
  const disposition = `attachment; filename="${name}"; filename*=UTF-8''${name}`;
  return stored(service, media, { 'Content-Disposition': disposition });
};

/** Shows what is known of a media (interface: Media, File info). */
export const mediaInfo: MediaOperation = async (service, { params, query }) => {
  const media = findMedia(service, params['media_id_or_media_md5'] ?? '', typeOf(query));
  if (media === undefined) throw noMedia();
  const { id, name, digest, size, refreshed, metadata } = media;
  return { id, name, digest, state: 0, size, timestamp: refreshed, metadata };
};

export function findMedia(
  { world }: MediaService,
  key: string,
  type: 'ID' | 'DIGEST',
): MediaRecord | undefined {
  return type === 'ID' ? world.medias.get(key) : world.medias.byDigest(key);
}

async function shown(service: MediaService, media: MediaRecord, wish: ImageWish): Promise<Bytes> {
  const path = await service.files.path(media.digest);
  const kind = await imageKindOf(path, service);
  if (kind === undefined) throw invalid(`the media is no image (${IMAGE_FORMATS} are)`);
  if (asksNothing(wish)) return stored(service, media, {});
  const { bytes } = await render(path, { ...wish, kind });
  return {
    headers: { 'Content-Type': media.type },
    size: bytes.length,
    open: async (length) => Readable.from([bytes.subarray(0, length)]),
  };
}

function stored(
  { files }: MediaService,
  { digest, size, type }: MediaRecord,
  headers: Readonly<Record<string, string>>,
): Bytes {
  return {
    headers: { 'Content-Type': type, ...headers },
    size,
    open: (length) => files.read(digest, length),
  };
}

function typeOf(query: URLSearchParams): 'ID' | 'DIGEST' {
  const type = query.get('type') ?? 'ID';
  if (type !== 'ID' && type !== 'DIGEST') throw invalid('type is neither ID nor DIGEST');
  return type;
}

/** Leaves out what viewing does not take. */
function withoutFormat(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete('format');
  return rest;
}

/** Encodes a file name as RFC 5987 wants it; `filename` takes the same, since the interface says "percent-encoded". */
function percentEncoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
