import { integer, json, list, record, text, time, bytes } from '../terms/field.ts';

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
