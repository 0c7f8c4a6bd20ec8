import {
  checkedType,
  fieldOrQuery,
  imageKindOf,
  optionalText,
  readBytes,
  requiredFile,
  requireSame,
} from './given-file.ts';
import { IMAGE_FORMATS, kindOfFormat, type ImageKind } from './image-kinds.ts';
import { asksNothing, readWish, wishOfBody, type ImageWish } from './image-wish.ts';
import { render, requireWhole } from './images.ts';
import type { Spooled } from './media-files.ts';
import { keepBytes, keepMedia, type MediaOperation, type MediaService } from './media-service.ts';
import { requiredField, requiredObject } from '../operation/body-fields.ts';
import { invalid } from '../operation/refused.ts';
import type { MediaRecord } from '../world/records.ts';

/** Uploads an image as JSON (interface: Media, Upload image (JSON)). */
export const uploadImage: MediaOperation = async (service, request) => {
  const body = requiredObject(request.body);
  const name = requiredField(body, 'file_name');
  const type = optionalText(body, 'file_type');
  const digest = optionalText(body, 'file_digest');
  const wish = readWish(wishOfBody(body), 'height');
  const spooled = await service.files.spoolBytes(readBytes(body, 'file_content', service));
  try {
    requireSame(spooled, { digest, size: '' });
    return (await keepImage(service, spooled, { name, type, wish })).id;
  } finally {
    await service.files.drop(spooled);
  }
};

/** Uploads an image as a form (interface: Media, Upload image (multipart)). */
export const uploadImageForm: MediaOperation = async (service, request) => {
  const { query } = request;
  const { name, spooled } = requiredFile(request, 'file');
  if (name === '') throw invalid('the part "file" has no file name');
  requireSame(spooled, { digest: query.get('file_digest') ?? '', size: query.get('file_size') ?? '' });
  const wish = readWish(query, service.readings.heighName);
  const type = fieldOrQuery(request, 'file_type');
  return (await keepImage(service, spooled, { name, type, wish })).id;
};

interface ImageDraft {
  readonly name: string;
  /** Content-Type when read; "" stands for that of the image. */
  readonly type: string;
  readonly wish: ImageWish;
}

/** Keeps an image: as it came where nothing is asked, otherwise turned, scaled and encoded. */
async function keepImage(service: MediaService, spooled: Spooled, draft: ImageDraft): Promise<MediaRecord> {
  const came = await imageKindOf(spooled.path, service);
  if (came === undefined) throw invalid(`the file is no image (${IMAGE_FORMATS} are)`);
  const { name } = draft;
  const kind = kindAsked(draft.wish, came, service);
  const about = { name, type: checkedType(draft.type === '' ? kind.type : draft.type), metadata: {} };
  if (asksNothing(draft.wish) && kind === came) {
    await requireWhole(spooled.path);
    return keepMedia(service, spooled, about);
  }
  const { bytes } = await render(spooled.path, { ...draft.wish, kind });
  return keepBytes(service, bytes, about);
}

/** Returns the kind to keep: the one asked for; where something else is asked, jpg, the default. */
function kindAsked(wish: ImageWish, came: ImageKind, { readings }: MediaService): ImageKind {
  if (asksNothing(wish) && readings.uploadFormat === 'asked') return came;
  return wish.kind ?? kindOfFormat('jpg') ?? came;
}
