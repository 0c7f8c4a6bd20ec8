import { kindOfFormat } from './images.ts';
import { findMedia } from './media-reads.ts';
import { keepBytes, type MediaOperation, type MediaService } from './media-service.ts';
import { invalid, noMedia } from '../operations/operation.ts';
import { requiredText } from '../operations/request-parts.ts';
import type { MediaRecord } from '../world/records.ts';

const DAY_MS = 86_400_000;

/** First bytes of what can be a source, in hex; an office document is a ZIP or an OLE file. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  office: ['504b0304', 'd0cf11e0'],
  pdf: ['25504446'],
  amr: ['2321414d52'],
};

/**
 * Translates a media (interface: Media, Translate). The supported translations need an office suite, a reader of
 * PDF or a sound codec, which are not here: they are refused. With translates=pretend they give placeholders that
 * are called so.
 */
export const translateMedia: MediaOperation = async (service, { params, query }) => {
  const source = requiredText(query, 'source_type').toLowerCase();
  const dest = requiredText(query, 'dest_type').toLowerCase();
  const media = findMedia(service, params['media_id'] ?? '', 'ID');
  if (media === undefined) throw noMedia();
  if (!isSupported(source, dest)) throw invalid(`a translation from ${source} to ${dest} is unsupported`);
  if (service.readings.translates === 'no' || dest === 'mp3') throw invalid(cannot(source, dest));
  await requireSource(service, media, source);
  const made = await keepBytes(
    service,
    Buffer.from(`PLACEHOLDER, made by a sandbox: ${media.name} as ${dest}`),
    {
      name: `${media.name} (placeholder)`,
      type: 'text/plain',
      metadata: { placeholder: 'true' },
    },
  );
  const created = service.now();
  return {
    media_id: media.id,
    dest_ids: [made.id],
    name: media.name,
    source_type: query.get('source_type'),
    dest_type: query.get('dest_type'),
    create_time: created,
    expire_time: created + DAY_MS,
  };
};

/** Tells what the interface supports: office to pdf, pdf to image, office to image, amr to mp3. */
function isSupported(source: string, dest: string): boolean {
  if (source === 'amr') return dest === 'mp3';
  if (source === 'office' && dest === 'pdf') return true;
  return ['office', 'pdf'].includes(source) && isImage(dest);
}

/** `image` is the interface's word for any kind of image. */
function isImage(dest: string): boolean {
  return dest === 'image' || kindOfFormat(dest) !== undefined;
}

function cannot(source: string, dest: string): string {
  const needed = { office: 'an office suite', pdf: 'a renderer of PDF' }[source] ?? 'a sound codec';
  return `the sandbox cannot translate ${source} to ${dest}: that takes ${needed}, which it does not have`;
}

async function requireSource({ files }: MediaService, media: MediaRecord, source: string): Promise<void> {
  const head = (await files.head(await files.path(media.digest), 16)).toString('hex');
  const known = SOURCES[source]?.some((start) => head.startsWith(start));
  if (known !== true) throw invalid(`the media is no ${source} file`);
}
