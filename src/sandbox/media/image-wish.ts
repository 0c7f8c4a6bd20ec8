import { IMAGE_FORMATS, kindOfFormat, type ImageKind } from './image-kinds.ts';
import type { Rendering } from './images.ts';
import { invalid } from '../operation/refused.ts';
import type { Readings } from '../readings/readings.ts';
import type { WireObject } from '../wire/wire-value.ts';

/** What a call asks of an image; `kind` is absent where no format is named. */
export interface ImageWish extends Omit<Rendering, 'kind'> {
  readonly kind?: ImageKind;
}

/**
 * Reads width, height, quality, rotate and format (interface: Media). The height goes by the name of the reading
 * heighName.
 */
export function readWish(query: URLSearchParams, heighName: Readings['heighName']): ImageWish {
  const kind = readKind(query.get('format') ?? '');
  return {
    width: side(query, 'width', 0),
    height: readHeight(query, heighName),
    rotate: decimal(query, 'rotate', 0),
    quality: readQuality(query),
    ...(kind === undefined ? {} : { kind }),
  };
}

/** Returns whether the wish leaves an image as it is. */
export function asksNothing({ width, height, rotate, quality, kind }: ImageWish): boolean {
  return width === 0 && height === 0 && rotate % 360 === 0 && quality === 1 && kind === undefined;
}

/** Returns the values of a JSON body as those of a query, with their types checked. */
export function wishOfBody(body: WireObject): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['width', 'height', 'quality', 'rotate']) {
    const value = body[name] ?? undefined;
    if (value === undefined) continue;
    if (typeof value !== 'number') throw invalid(`${name} is no number`);
    query.set(name, value.toString());
  }
  const format = body['format'] ?? '';
  if (typeof format !== 'string') throw invalid('format is no text');
  query.set('format', format);
  return query;
}

/** Reads a size in pixels or bytes. */
export function side(query: URLSearchParams, name: string, byDefault: number): number {
  const text = query.get(name) ?? '';
  if (text === '') return byDefault;
  if (!/^\d{1,9}$/.test(text)) throw invalid(`${name} is not a whole number from 0`);
  return Number(text);
}

export function readQuality(query: URLSearchParams): number {
  const quality = decimal(query, 'quality', 1);
  if (quality < 0 || quality > 1) throw invalid('quality is not between 0 and 1');
  return quality;
}

export function readKind(format: string): ImageKind | undefined {
  if (format === '') return undefined;
  const kind = kindOfFormat(format);
  if (kind === undefined) throw invalid(`format ${format} is none of ${IMAGE_FORMATS}`);
  return kind;
}

function readHeight(query: URLSearchParams, heighName: Readings['heighName']): number {
  if (heighName !== 'both') return side(query, heighName, 0);
  const height = side(query, 'height', 0);
  const heigh = side(query, 'heigh', height);
  if (height !== 0 && heigh !== height) throw invalid('heigh and height are two different numbers');
  return heigh;
}

function decimal(query: URLSearchParams, name: string, byDefault: number): number {
  const text = query.get(name) ?? '';
  if (text === '') return byDefault;
  if (!/^-?\d{1,9}(?:\.\d{1,15})?(?:e-?\d{1,2})?$/i.test(text)) throw invalid(`${name} is no number`);
  return Number(text);
}
