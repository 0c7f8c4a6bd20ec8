import type { Fields } from '../../domain/records/fields.ts';

/** Returns the name of a unit or what it becomes; mapping sees to it that there is one. */
export function unitName({ fields }: { readonly fields: Fields }): string {
  return typeof fields['name'] === 'string' ? fields['name'] : '';
}

/** The mapped serial number; `otherwise` where there is none: the source id at creation (contract, Fields). */
export function serialOf({ fields }: { readonly fields: Fields }, otherwise: string): string {
  const mapped = fields['serial_no'];
  return typeof mapped === 'string' ? mapped : otherwise;
}
