import { PERSON_FIELDS, type FieldSpec } from '../../domain/records/fields.ts';

const OF_PEOPLE = 'source.people.fields.';
const LOGO = 'source.units.fields.logo';

/** Returns whether a place of the configuration is the rule of a secret. */
function isOfSecret(place: string): boolean {
  if (!place.startsWith(OF_PEOPLE)) return false;
  const [field = ''] = place.slice(OF_PEOPLE.length).split('.');
  const specs: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;
  return specs[field]?.secret === true;
}

/** Returns whether only logos are mapped from a name. */
export const isOfLogo = (places: readonly string[]): boolean =>
  places.length > 0 && places.every((place) => place === LOGO);

/** Returns whether only secrets and logos are mapped from a name: a plan can do without it. */
export function isDispensable(places: readonly string[]): boolean {
  return places.length > 0 && places.every((place) => place === LOGO || isOfSecret(place));
}
