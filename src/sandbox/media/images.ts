import type { Sharp } from 'sharp';
import { invalid, Refused } from '../operations/operation.ts';
import type { WireObject } from '../world/wire-value.ts';

type Library = (typeof import('sharp'))['default'];

/** What is to become of an image; 0 as a side leaves it open. */
interface Rendering {
  readonly width: number;
  readonly height: number;
  /** Degrees clockwise. */
  readonly rotate: number;
  /** Between 0 and 1; 1 is the best. */
  readonly quality: number;
  readonly kind: ImageKind;
}

export interface Rendered {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

let loading: Promise<Library | undefined> | undefined;

/** Loads the optional package with the first image; `undefined` where it is not installed. */
async function library(): Promise<Library | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.cache(false);
      return sharp;
    },
    () => undefined,
  );
  return loading;
}

/** Decodes all of an image where that can be had. Throws Refused for one that is broken. */
export async function requireWhole(path: string): Promise<void> {
  const sharp = await library();
  if (sharp !== undefined) await decoded(() => sharp(path).stats());
}

/** Returns the size as it is seen, with the camera's orientation. */
export async function sizeOf(path: string): Promise<Size> {
  const sharp = await required();
  const { autoOrient } = await decoded(() => sharp(path).metadata());
  return autoOrient;
}

/**
 * Turns, scales and encodes an image. It is never enlarged, and keeps its proportions: width and height are a
 * box that it fits into.
 */
export async function render(path: string, rendering: Rendering): Promise<Rendered> {
  const sharp = await required();
  return decoded(() => encoded(scaled(sharp(path), rendering), rendering));
}

function scaled(image: Sharp, { width, height, rotate }: Rendering): Sharp {
  const turned = image.autoOrient();
  if (rotate % 360 !== 0) turned.rotate(rotate, { background: 'white' });
  if (width === 0 && height === 0) return turned;
  const box = { ...(width > 0 ? { width } : {}), ...(height > 0 ? { height } : {}) };
  return turned.resize({ ...box, fit: 'inside', withoutEnlargement: true });
}

async function encoded(image: Sharp, { kind, quality }: Rendering): Promise<Rendered> {
  const flat = kind.name === 'jpeg' ? image.flatten({ background: 'white' }) : image;
  const percent = Math.max(1, Math.round(quality * 100));
  const options = kind.name === 'gif' || (kind.name === 'png' && quality === 1) ? {} : { quality: percent };
  const { data, info } = await flat.toFormat(kind.name, options).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

async function required(): Promise<Library> {
  const sharp = await library();
  if (sharp !== undefined) return sharp;
  throw invalid('images cannot be decoded here: the optional package sharp is not installed');
}

async function decoded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    throw invalid(`the image cannot be read (${IMAGE_FORMATS} can, where they are whole): ${reason}`);
  }
}

/** What a call asks of an image; `kind` is absent where no format is named. */
export interface ImageWish extends Omit<Rendering, 'kind'> {
  readonly kind?: ImageKind;
}

/** Reads width, height, quality, rotate and format (interface: Media). */
export function readWish(query: URLSearchParams): ImageWish {
  const kind = readKind(query.get('format') ?? '');
  return {
    width: side(query, 'width', 0),
    height: readHeight(query),
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

/** The document spells it both ways. */
function readHeight(query: URLSearchParams): number {
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

/** A kind of image: how `format` names it, its content type, and its first bytes. */
export interface ImageKind {
  readonly name: 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif';
  readonly type: string;
  readonly ending: string;
  readonly isAt: (head: Buffer) => boolean;
}

const starts = (hex: string, at = 0): ImageKind['isAt'] => {
  const wanted = Buffer.from(hex, 'hex');
  return (head) => head.subarray(at, at + wanted.length).equals(wanted);
};
const isRiff = starts('52494646');
const isWebp = starts('57454250', 8);
const isIntel = starts('49492a00');
const isMotorola = starts('4d4d002a');

const KINDS: readonly ImageKind[] = [
  { name: 'jpeg', type: 'image/jpeg', ending: 'jpg', isAt: starts('ffd8ff') },
  { name: 'png', type: 'image/png', ending: 'png', isAt: starts('89504e470d0a1a0a') },
  { name: 'gif', type: 'image/gif', ending: 'gif', isAt: starts('47494638') },
  { name: 'webp', type: 'image/webp', ending: 'webp', isAt: (head) => isRiff(head) && isWebp(head) },
  { name: 'tiff', type: 'image/tiff', ending: 'tiff', isAt: (head) => isIntel(head) || isMotorola(head) },
  { name: 'avif', type: 'image/avif', ending: 'avif', isAt: starts('6674797061766966', 4) },
];

/** Names of formats that are images here. */
export const IMAGE_FORMATS = 'jpg, png, gif, webp, tiff and avif';

/** Tells the kind of an image by its first 16 bytes; `undefined` for what is no image. */
export function kindOfBytes(head: Buffer): ImageKind | undefined {
  return KINDS.find(({ isAt }) => isAt(head));
}

/** Finds the kind that `format` names, in any case. */
export function kindOfFormat(format: string): ImageKind | undefined {
  const name = format.toLowerCase();
  return KINDS.find((kind) => kind.name === name || kind.ending === name);
}
