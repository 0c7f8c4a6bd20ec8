/*
 * The sandbox has no dictionary of pinyin: letters stand for themselves, so that the fields are there and
 * can be searched.
 */

export function pinyin(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}

export function initials(name: string): string {
  const words = name.toLowerCase().split(/\s+/);
  return words.map((word) => word.slice(0, 1)).join('');
}
