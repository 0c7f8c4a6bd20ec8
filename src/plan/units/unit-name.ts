import type { Fields } from '../../domain/records/fields.ts';

/** Returns the name of a unit; mapping makes sure that there is one. */
export function unitName({ fields }: { readonly fields: Fields }): string {
  return typeof fields['name'] === 'string' ? fields['name'] : '';
}

/** Returns the mapped serial number, else `otherwise`, which is the source id at creation (contract, Fields). */
export function serialOf({ fields }: { readonly fields: Fields }, otherwise: string): string {
  const mapped = fields['serial_no'];
  return typeof mapped === 'string' ? mapped : otherwise;
}
