import {
  imageKindOf,
  keepBytes,
  keepMedia,
  requiredFile,
  requireSame,
  type MediaOperation,
  type MediaRequest,
  type MediaService,
} from './media-service.ts';
import {
  IMAGE_FORMATS,
  kindOfFormat,
  readKind,
  readQuality,
  render,
  side,
  sizeOf,
  type ImageKind,
  type Rendered,
  type Size,
} from './images.ts';
import type { FormFile } from './receive-form.ts';
import { flag } from '../operations/request-parts.ts';
import { invalid } from '../operations/operation.ts';
import type { WireObject } from '../world/wire-value.ts';
import type { MediaRecord } from '../world/records.ts';

interface Job {
  readonly service: MediaService;
  readonly values: URLSearchParams;
  readonly file: FormFile;
  readonly kind: ImageKind;
}

/** Compresses an image, and keeps what is asked for (interface: Media, Compress image). */
export const compressImage: MediaOperation = async (service, request) => {
  const file = requiredFile(request, 'media');
  const values = valuesOf(request);
  requireSame(file.spooled, { digest: values.get('digest') ?? '', size: '' });
  const came = await imageKindOf(file.spooled.path, service);
  if (came === undefined) throw invalid(`the file is no image (${IMAGE_FORMATS} are)`);
  const job: Job = { service, values, file, kind: readKind(values.get('format') ?? '') ?? jpeg(came) };
  const [small, thumb] = [await compressed(job), await thumbnail(job)];
  const media = await keep(job, small);
  return {
    media,
    thumb_media: thumb && { ...(await keep(job, thumb)), blob: thumb.bytes.toString('base64') },
    original_media: flag(values, 'original', false) ? await keepOriginal(job, came) : undefined,
  };
};

/** Returns the values: those of the form before those of the query. */
function valuesOf({ form, query }: MediaRequest): URLSearchParams {
  const values = new URLSearchParams(query);
  for (const [name, value] of form?.fields ?? []) values.set(name, value);
  return values;
}

async function compressed({ values, file, kind }: Job): Promise<Rendered> {
  const [width, height] = [side(values, 'width', 800), side(values, 'height', 800)];
  return render(file.spooled.path, { width, height, rotate: 0, quality: readQuality(values), kind });
}

/** Makes the thumbnail: with less quality, then with less pixels, until it fits into thumb_size. */
async function thumbnail({ values, file, kind }: Job): Promise<Rendered | undefined> {
  if (!flag(values, 'thumb', false)) return undefined;
  const most = side(values, 'thumb_size', 20_480);
  const best = readQuality(values);
  let [width, height] = [side(values, 'thumb_width', 180), side(values, 'thumb_height', 180)];
  for (;;) {
    for (const quality of [best, 0.8 * best, 0.5 * best, 0.2 * best]) {
      const tried = await render(file.spooled.path, { width, height, rotate: 0, quality, kind });
      if (tried.bytes.length <= most) return tried;
      [width, height] = [tried.width, tried.height];
    }
    if (width === 1 && height === 1) throw invalid(`no thumbnail fits into thumb_size ${most}`);
    [width, height] = [Math.max(1, Math.floor(width / 2)), Math.max(1, Math.floor(height / 2))];
  }
}

async function keep({ service, file, kind }: Job, image: Rendered): Promise<WireObject> {
  const draft = { name: file.name, type: kind.type, metadata: {} };
  return shape(await keepBytes(service, image.bytes, draft), image);
}

async function keepOriginal({ service, file }: Job, came: ImageKind): Promise<WireObject> {
  const size = await sizeOf(file.spooled.path);
  return shape(
    await keepMedia(service, file.spooled, { name: file.name, type: came.type, metadata: {} }),
    size,
  );
}

function shape(media: MediaRecord, { width, height }: Size): WireObject {
  return { media_id: media.id, size: media.size, width, height };
}

function jpeg(came: ImageKind): ImageKind {
  return kindOfFormat('jpg') ?? came;
}
