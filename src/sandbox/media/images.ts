import type { Sharp } from 'sharp';
import { IMAGE_FORMATS, type ImageKind } from './image-kinds.ts';
import { invalid, Refused } from '../operation/refused.ts';

type Library = (typeof import('sharp'))['default'];

/** What is to become of an image; 0 as a side leaves it open. */
export interface Rendering {
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

/** Draws an SVG, for placeholders. */
export async function draw(svg: string, kind: ImageKind): Promise<Rendered> {
  const sharp = await required();
  return encoded(sharp(Buffer.from(svg)), { width: 0, height: 0, rotate: 0, quality: 1, kind });
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
