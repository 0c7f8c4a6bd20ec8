import type { Run } from '../state/world.ts';

/** From this many people on who had a value, its absence from all records is the service's, and nobody's edit. */
const NOBODYS_EDIT_FROM = 3;

/**
 * Returns whether the service tells anything of a field. One that it showed and now shows of nobody, not even empty, was
 * emptied by nobody: an update of the service does that. It is asked once for each field, and only for a field that
 * some record lacks.
 */
export function toldFields({ ledger, log }: Run): (field: string) => boolean {
  const told = new Map<string, boolean>();
  return (field) => {
    const known = told.get(field);
    if (known !== undefined) return known;
    const isTold =
      ledger.view.showsField(field) || ledger.people.withField(field, NOBODYS_EDIT_FROM) < NOBODYS_EDIT_FROM;
    told.set(field, isTold);
    if (!isTold)
      log.note('warn', 'the service no longer shows a field: edits of it cannot be seen', { field });
    return isTold;
  };
}
