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
