import { draw, kindOfFormat, type ImageKind } from './images.ts';
import { findMedia } from './media-reads.ts';
import { keepBytes, type MediaOperation, type MediaService } from './media-service.ts';
import { invalid, noMedia } from '../operations/operation.ts';
import { requiredText } from '../operations/request-parts.ts';
import type { MediaRecord } from '../world/records.ts';

const PAGES = 2;
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
  const made = await placeholders(service, media, dest);
  const created = service.now();
  return {
    media_id: media.id,
    dest_ids: made.map(({ id }) => id),
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
  return ['office', 'pdf'].includes(source) && imageKind(dest) !== undefined;
}

/** Finds the kind of an image; `image` is the interface's word for any. */
function imageKind(dest: string): ReturnType<typeof kindOfFormat> {
  return kindOfFormat(dest === 'image' ? 'jpg' : dest);
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

async function placeholders(
  service: MediaService,
  { name }: MediaRecord,
  dest: string,
): Promise<readonly MediaRecord[]> {
  const metadata = { placeholder: 'true' };
  const kind = imageKind(dest);
  if (kind === undefined) {
    const draft = { name: `${name} (placeholder).pdf`, type: 'application/pdf', metadata };
    return [await keepBytes(service, placeholderPdf(PAGES), draft)];
  }
  const pages: MediaRecord[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const called = `${name}, page ${page} (placeholder).${kind.ending}`;
    const bytes = await placeholderImage(`page ${page} of ${PAGES}`, kind);
    pages.push(await keepBytes(service, bytes, { name: called, type: kind.type, metadata }));
  }
  return pages;
}

/** Draws a page that calls itself a placeholder. */
async function placeholderImage(label: string, kind: ImageKind): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="620" height="877">
    <rect width="620" height="877" fill="white" stroke="grey" stroke-width="8"/>
    <text x="60" y="420" font-size="40" fill="grey">PLACEHOLDER</text>
    <text x="60" y="480" font-size="28" fill="grey">${label}, made by a sandbox</text></svg>`;
  return (await draw(svg, kind)).bytes;
}

/** Writes a PDF whose pages call themselves placeholders. */
function placeholderPdf(pages: number): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const kids = numbers.map((page) => `${2 * page + 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...numbers.flatMap((page) => pdfPage(page, pages)),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset.toString().padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
}

/** Returns the two objects of a page: the page, and what stands on it. */
function pdfPage(page: number, pages: number): readonly string[] {
  const drawn = `BT /F1 28 Tf 60 420 Td (PLACEHOLDER: page ${page} of ${pages}, made by a sandbox) Tj ET`;
  const resources = '/Resources << /Font << /F1 3 0 R >> >>';
  const place = `/Parent 2 0 R /MediaBox [0 0 700 842] /Contents ${2 * page + 3} 0 R`;
  return [
    `<< /Type /Page ${place} ${resources} >>`,
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
  ];
}
