import { bytes, flag, float, integer, json, list, map, record, text, time } from '../field.ts';
import { CHANGES_OTHER, jsonOf, NO_BODY, READS, type Operation } from '../operation.ts';

/** Interface: Media info. */
export const MEDIA_INFO = record({
  id: text(),
  name: text(),
  digest: text(),
  state: integer(),
  size: integer(),
  timestamp: time(),
  metadata: json({ type: 'Object' }),
});

/** Interface, Media: result of Translate. */
export const TRANSLATION = record({
  media_id: text(),
  dest_ids: list(text()),
  name: text(),
  source_type: text(),
  dest_type: text(),
  create_time: time(),
  expire_time: time(),
});

const SCALED = { media_id: text(), size: integer(), width: integer(), height: integer() } as const;

/** Interface, Media: result of Compress image. */
export const COMPRESSED = record({
  media: record(SCALED),
  thumb_media: record({ ...SCALED, blob: bytes() }),
  original_media: record(SCALED),
});

const AT = { section: 'Media' } as const;
const BASE = '/v1/medias';
const DOMAIN = { domain_id: text({ required: true }) } as const;
const MEDIA_ID = { kind: 'json', of: text() } as const;
const QUALITY = float({ default: 1, minimum: 0, maximum: 1 });
const ROTATE = float({ default: 0 });
const FORMAT = text({ default: 'jpg' });
const SIDE = integer({ minimum: 0 });
const ID_OR_DIGEST = text({ values: ['ID', 'DIGEST'], default: 'ID' });
const DIGEST_OPEN =
  'a digest of 32 hex digits must be the MD5 of the file, the default; any other is sent as given';
const HEIGH_OPEN = '`heigh` and `height` name one parameter: what is given under either is sent under both';
/** If the same bytes are stored again, they are the same media for all who use them. */
const UPLOADS = { ...CHANGES_OTHER, repeatable: true } as const;
/** The document calls an image `image` and, in its sample, `jpg`. */
const IMAGES = ['image', 'jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'tif', 'tiff'] as const;
const BINARY = { kind: 'bytes' } as const;
const BINARY_OPEN = 'a JSON content type on a path that answers bytes: read as an envelope with an error';

const COMPRESSION = {
  width: integer({ default: 800, minimum: 0 }),
  height: integer({ default: 800, minimum: 0 }),
  quality: QUALITY,
  format: text({ default: 'JPG' }),
  thumb: flag({ default: false }),
  thumb_width: integer({ default: 180, minimum: 0 }),
  thumb_height: integer({ default: 180, minimum: 0 }),
  thumb_size: integer({ default: 20_480, minimum: 0 }),
  original: flag({ default: false }),
  digest: text(),
} as const;

export const MEDIA = {
  uploadImage: {
    ...AT,
    title: 'Upload image (JSON)',
    method: 'POST',
    path: `${BASE}/images`,
    query: {},
    body: jsonOf(
      record({
        file_name: text({ required: true }),
        file_content: bytes({ required: true }),
        file_digest: text(),
        file_type: text(),
        width: SIDE,
        height: SIDE,
        quality: QUALITY,
        rotate: ROTATE,
        format: FORMAT,
      }),
    ),
    answer: MEDIA_ID,
    ...UPLOADS,
    open: ['byte arrays: as base64 text', DIGEST_OPEN],
  },
  uploadImageForm: {
    ...AT,
    title: 'Upload image (multipart)',
    method: 'POST',
    path: `${BASE}/images`,
    query: {
      file_digest: text(),
      file_size: integer({ minimum: 0 }),
      width: SIDE,
      heigh: SIDE,
      height: SIDE,
      rotate: ROTATE,
      quality: QUALITY,
      format: FORMAT,
      file_type: text(),
    },
    body: { kind: 'form', part: 'file', fields: { file_type: text() } },
    answer: MEDIA_ID,
    ...UPLOADS,
    open: [
      HEIGH_OPEN,
      DIGEST_OPEN,
      'where `file_type` stands: in the query, as a field of the form and as the type of the part',
    ],
  },
  uploadFile: {
    ...AT,
    title: 'Upload file (JSON)',
    method: 'POST',
    path: BASE,
    query: {},
    body: jsonOf(
      record({
        file_name: text({ required: true }),
        file_content: bytes({ required: true }),
        file_digest: text(),
        file_metadata: map(text()),
      }),
    ),
    answer: MEDIA_ID,
    ...UPLOADS,
    open: ['byte arrays: as base64 text', DIGEST_OPEN],
  },
  uploadFileForm: {
    ...AT,
    title: 'Upload file (multipart)',
    method: 'POST',
    path: BASE,
    query: {
      file_digest: text({ required: true }),
      file_size: integer({ type: 'long', required: true, minimum: 0 }),
      filename: text(),
    },
    body: { kind: 'form', part: 'file', fields: { filename: text({ required: true }) } },
    answer: MEDIA_ID,
    ...UPLOADS,
    open: [
      DIGEST_OPEN,
      'where `filename` stands: in the query, as a field of the form and as the name of the part',
    ],
  },
  viewImage: {
    ...AT,
    title: 'View image',
    method: 'GET',
    path: `${BASE}/images/{media_id}`,
    query: {
      ...DOMAIN,
      type: ID_OR_DIGEST,
      width: SIDE,
      heigh: SIDE,
      height: SIDE,
      rotate: ROTATE,
      quality: QUALITY,
      default_thumbnail: flag({ default: false }),
    },
    body: NO_BODY,
    answer: BINARY,
    ...READS,
    open: [HEIGH_OPEN, BINARY_OPEN],
  },
  downloadFile: {
    ...AT,
    title: 'Download file',
    method: 'GET',
    path: `${BASE}/{media_id}`,
    query: DOMAIN,
    body: NO_BODY,
    answer: BINARY,
    ...READS,
    open: [BINARY_OPEN],
  },
  mediaInfo: {
    ...AT,
    title: 'File info',
    method: 'GET',
    path: `${BASE}/{media_id_or_media_md5}/info`,
    query: { type: ID_OR_DIGEST },
    body: NO_BODY,
    answer: jsonOf(MEDIA_INFO),
    ...READS,
  },
  translateMedia: {
    ...AT,
    title: 'Translate',
    method: 'GET',
    path: `${BASE}/{media_id}/translate`,
    query: { source_type: text({ required: true }), dest_type: text({ required: true }) },
    supported: {
      of: ['source_type', 'dest_type'],
      pairs: { office: ['pdf', ...IMAGES], pdf: IMAGES, amr: ['mp3'] },
    },
    body: NO_BODY,
    answer: jsonOf(TRANSLATION),
    ...READS,
    open: [`what "image" is called: ${IMAGES.join(', ')}`],
  },
  compressImage: {
    ...AT,
    title: 'Compress image',
    method: 'POST',
    path: `${BASE}/compress`,
    query: COMPRESSION,
    body: { kind: 'form', part: 'media', fields: COMPRESSION },
    answer: jsonOf(COMPRESSED),
    ...UPLOADS,
    open: ['whether the values stand in the query or in the form ("query/fields"): in both', DIGEST_OPEN],
  },
} as const satisfies Readonly<Record<string, Operation>>;
