import type { Person, Unit } from '../../src/domain/records/records.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, person, unit } from '../sync/world.ts';
import { textOf } from './expected-state.ts';

export interface CompanySize {
  readonly units: number;
  readonly people: number;
}

/** A tree of units, five below each, and people all over it; every tenth sits in two, every fifth leads. */
export function company({ units, people }: CompanySize): MemoryWorld {
  const ids = Array.from({ length: units }, (_, index) => `u${index + 1}`);
  return {
    units: ids.map((id, index) => unit(id, index === 0 ? null : (ids[Math.floor((index - 1) / 5)] ?? null))),
    people: Array.from({ length: people }, (_, index) => employee(index, ids)),
  };
}

function employee(index: number, ids: readonly string[]): Person {
  const seat = (offset: number) => ids[(index * 7 + offset) % ids.length] ?? null;
  const first = at(seat(0), { job_title: `Title ${index % 4}`, primary: true, chief: index % 5 === 0 });
  return person(`p${index}`, {
    fields: { email: `p${index}@example.com` },
    positions:
      index % 10 === 0 ? [first, at(seat(1), { job_title: 'Also', primary: false, chief: false })] : [first],
  });
}

/** All at once: renamed, moved, re-titled, new, left and removed; nobody who left sits in the unit that goes. */
export function reorganized({ units, people }: MemoryWorld): MemoryWorld {
  const kept = units.filter((one): one is Unit => 'refs' in one);
  const last = kept.at(-1)?.id;
  const renamed = kept
    .slice(0, -1)
    .map((one, index) =>
      index % 6 === 1
        ? { ...one, fields: { ...one.fields, name: `${textOf(one.fields['name'])} / new` } }
        : one,
    );
  const staff = people.filter((one): one is Person => 'username' in one);
  return {
    units: [...renamed.map(movedBelowNew), unit('new1', kept[0]?.id ?? null), unit('new2', 'new1')],
    people: [
      ...staff.map((one, index) => change(one, index, last)),
      person('new', { positions: [at('new2')] }),
    ],
  };
}

const movedBelowNew = (one: Unit): Unit => (one.id === 'u3' ? { ...one, parent: 'new1' } : one);

function change(one: Person, index: number, removed: string | undefined): Person {
  const positions = one.positions.filter(({ unit: id }) => id !== removed);
  const stays = positions.length === one.positions.length;
  const placed = stays ? one : { ...one, positions: [at('new1', { primary: true })] };
  if (index % 26 === 3 && stays) return { ...placed, active: false };
  if (index % 13 === 5) return { ...placed, positions: [at('new2', { job_title: 'Moved', primary: true })] };
  if (index % 13 === 7) return { ...placed, fields: { ...placed.fields, name: `Renamed ${index}` } };
  return placed;
}
