import type { FieldValue } from '../../src/domain/records/fields.ts';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import type { State } from '../sync/world.ts';

/**
 * What the service should hold, told from the source alone. Who is inactive is locked as they were last sent, that is as
 * `before` has them, but is head of no unit; who was never there is not created.
 */
export function expectedState(world: MemoryWorld, before?: MemoryWorld): State {
  const units = world.units.filter((one): one is Unit => 'refs' in one);
  const byId = new Map(units.map((one) => [one.id, one]));
  const pathOf = (one: Unit): string => {
    const parent = one.parent === null ? undefined : byId.get(one.parent);
    return `${parent === undefined ? '/Root' : pathOf(parent)}/${textOf(one.fields['name'])}`;
  };
  const known = new Map(peopleOf(before).map((one) => [one.id, one]));
  const people = peopleOf(world).flatMap((one) => {
    if (one.active !== false) return [lineOf(one, '')];
    const last = known.get(one.id);
    return last === undefined ? [] : [lineOf(last, 'locked')];
  });
  return {
    units: ['/Root #', ...units.map((one) => `${pathOf(one)} #${one.id}`)].toSorted(),
    people: people.toSorted(),
  };
}

export function textOf(value: FieldValue | null | undefined): string {
  return typeof value === 'string' ? value : '';
}

function peopleOf(world: MemoryWorld | undefined): readonly Person[] {
  return (world?.people ?? []).filter((one): one is Person => 'username' in one);
}

function lineOf({ username, fields, positions }: Person, mark: string): string {
  const marked = positions.some((position) => position.fields['primary'] === true);
  const places = positions.map(({ unit, fields: { job_title: title, primary, chief } }, index) => {
    const isPrimary = marked ? primary === true : index === 0;
    const marks = [
      textOf(title),
      isPrimary ? 'primary' : '',
      chief === true && mark !== 'locked' ? 'chief' : '',
    ].filter(Boolean);
    return `${unit ?? '(root)'}[${marks.join(' ')}]`;
  });
  const more = [mark, textOf(fields['email'])].filter(Boolean);
  return [username, textOf(fields['name']), ...more, ...places.toSorted()].join(' ');
}
