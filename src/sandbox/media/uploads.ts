import {
  asksNothing,
  IMAGE_FORMATS,
  kindOfFormat,
  readWish,
  render,
  requireWhole,
  wishOfBody,
  type ImageKind,
  type ImageWish,
} from './images.ts';
import type { Spooled } from './media-files.ts';
import {
  checkedType,
  fieldOrQuery,
  imageKindOf,
  keepBytes,
  keepMedia,
  optionalText,
  readBytes,
  requiredFile,
  requireSame,
  type MediaOperation,
  type MediaService,
} from './media-service.ts';
import { invalid } from '../operations/operation.ts';
import { requiredField, requiredObject, requiredText } from '../operations/request-parts.ts';
import type { MediaRecord } from '../world/records.ts';
import { isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

/** Uploads an image as JSON (interface: Media, Upload image (JSON)). */
export const uploadImage: MediaOperation = async (service, request) => {
  const body = requiredObject(request.body);
  const name = requiredField(body, 'file_name');
  const type = optionalText(body, 'file_type');
  const digest = optionalText(body, 'file_digest');
  const wish = readWish(wishOfBody(body));
  const spooled = await service.files.spoolBytes(readBytes(body, 'file_content'));
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
  const wish = readWish(query);
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
  const kind = kindAsked(draft.wish, came);
  const about = { name, type: checkedType(draft.type === '' ? kind.type : draft.type), metadata: {} };
  if (asksNothing(draft.wish) && kind === came) {
    await requireWhole(spooled.path);
    return keepMedia(service, spooled, about);
  }
  const { bytes } = await render(spooled.path, { ...draft.wish, kind });
  return keepBytes(service, bytes, about);
}

/** Returns the kind to keep: the one asked for; where something else is asked, jpg, the default. */
function kindAsked(wish: ImageWish, came: ImageKind): ImageKind {
  return asksNothing(wish) ? came : (wish.kind ?? kindOfFormat('jpg') ?? came);
}

const ANY_TYPE = 'application/octet-stream';

/** Uploads a file as JSON (interface: Media, Upload file (JSON)). */
export const uploadFile: MediaOperation = async (service, request) => {
  const body = requiredObject(request.body);
  const name = requiredField(body, 'file_name');
  const metadata = readMetadata(body['file_metadata']);
  const digest = optionalText(body, 'file_digest');
  const spooled = await service.files.spoolBytes(readBytes(body, 'file_content'));
  try {
    requireSame(spooled, { digest, size: '' });
    const type = (await imageKindOf(spooled.path, service))?.type ?? ANY_TYPE;
    return (await keepMedia(service, spooled, { name, type, metadata })).id;
  } finally {
    await service.files.drop(spooled);
  }
};

/**
 * Uploads a file as a form (interface: Media, Upload file (multipart)). Where `filename` stands is not shown: it
 * is looked for among the fields, in the query, and as the name of the part.
 */
export const uploadFileForm: MediaOperation = async (service, request) => {
  const digest = requiredText(request.query, 'file_digest');
  const size = requiredText(request.query, 'file_size');
  const file = requiredFile(request, 'file');
  const given = fieldOrQuery(request, 'filename');
  const name = given === '' ? file.name : given;
  if (name === '') throw invalid('filename is required');
  requireSame(file.spooled, { digest, size });
  const type = checkedType(file.type === '' ? ANY_TYPE : file.type);
  return (await keepMedia(service, file.spooled, { name, type, metadata: {} })).id;
};

function readMetadata(value: WireValue | undefined): WireObject {
  const metadata = value ?? {};
  if (!isObject(metadata)) throw invalid('file_metadata is no map of texts');
  if (!Object.values(metadata).every((text) => typeof text === 'string'))
    throw invalid('file_metadata has a value that is no text');
  return metadata;
}
