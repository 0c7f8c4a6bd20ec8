import type { FieldValue } from '../../src/domain/records/fields.ts';
import type { Person, Position, Unit } from '../../src/domain/records/records.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import type { State } from '../sync/world.ts';

export function textOf(value: FieldValue | null | undefined): string {
  return typeof value === 'string' ? value : '';
}

type How = Pick<SyncSettings, 'leavers' | 'orphans' | 'root'>;

/** Tells from what the source has said so far what the service should hold, knowing nothing of what rollcall does. */
export class Oracle {
  /** Those who were active in the source, as they were last, by id. */
  readonly #known = new Map<string, Person>();
  /** Under which username each account was made. */
  readonly #usernames = new Map<string, string>();

  learn(world: MemoryWorld): void {
    for (const one of peopleOf(world)) {
      if (one.active !== true || this.#isTaken(one)) continue;
      this.#known.set(one.id, one);
      if (!this.#usernames.has(one.id)) this.#usernames.set(one.id, one.username);
    }
  }

  /** A new record with the username of another one is not believed. */
  #isTaken({ id, username }: Person): boolean {
    const others = [...this.#usernames].filter(([other]) => other !== id);
    const isNew = others.length === this.#usernames.size;
    return isNew && others.some(([, name]) => name.toLowerCase() === username.toLowerCase());
  }

  /**
   * Whoever is inactive or missing is locked as they were last, but is head of no unit, or removed; whoever was never
   * active is not there.
   */
  expected(world: MemoryWorld, { leavers, orphans, root }: How, besides: Partial<State> = {}): State {
    const units = new Units(world, root);
    const active = new Map(peopleOf(world).flatMap((one) => (one.active === true ? [[one.id, one]] : [])));
    const inactive = new Set(peopleOf(world).flatMap(({ id, active: is }) => (is === false ? [id] : [])));
    const people = [...this.#known.values()].flatMap((last) => {
      const now = active.get(last.id);
      if (now === undefined && leavers.action === 'remove' && !inactive.has(last.id)) return [];
      const { fields } = now ?? last;
      const places = units.placesOf(now ?? last, orphans === 'root', now === undefined);
      const marks = [now === undefined ? 'locked' : '', textOf(fields['email'])].filter(Boolean);
      const username = this.#usernames.get(last.id) ?? last.username;
      return [
        [username, textOf(fields['name']), ...marks, ...units.say(places, now === undefined)].join(' '),
      ];
    });
    return {
      units: ['/Root #', ...units.paths(), ...(besides.units ?? [])].toSorted(),
      people: [...people, ...(besides.people ?? [])].toSorted(),
    };
  }
}

/** What the service should hold of this source alone; `before`: as it was when those who left were last active. */
export function expectedState(world: MemoryWorld, before: MemoryWorld = { units: [], people: [] }): State {
  const oracle = new Oracle();
  for (const one of [before, world]) oracle.learn(one);
  const leavers = { misses: 1, action: 'remove', removeAfterDays: null } as const;
  return oracle.expected(world, { leavers, orphans: 'block', root: null });
}

class Units {
  readonly #world: MemoryWorld;
  readonly #units: readonly Unit[];
  readonly #byRef: ReadonlyMap<string, Unit>;
  readonly #root: string | null;

  constructor(world: MemoryWorld, root: string | null) {
    this.#world = world;
    this.#root = root;
    this.#units = world.units.filter((one): one is Unit => 'refs' in one);
    this.#byRef = new Map(this.#units.flatMap((one) => one.refs.map((ref) => [ref, one] as const)));
  }

  paths(): readonly string[] {
    return this.#units.flatMap((one) =>
      one.id === this.#root ? [] : [`${this.#pathOf(one)} #${serialOf(one)}`],
    );
  }

  #pathOf(unit: Unit): string {
    if (unit.id === this.#root) return '/Root';
    const parent = unit.parent === null ? undefined : this.#byRef.get(unit.parent);
    return `${parent === undefined ? '/Root' : this.#pathOf(parent)}/${textOf(unit.fields['name'])}`;
  }

  /** Who is locked stays in units that are there. */
  placesOf({ id, positions }: Person, orphansToRoot: boolean, isLocked: boolean): readonly Position[] {
    const rows = (this.#world.positions ?? []).flatMap((row) =>
      'person' in row && row.person === id ? [row.position] : [],
    );
    const places = [...positions, ...rows];
    const known = places.filter(({ unit }) => unit === null || this.#byRef.has(unit));
    if (isLocked) return known;
    return known.length === 0 && orphansToRoot ? [{ unit: null, fields: {} }] : places;
  }

  say(places: readonly Position[], isLocked: boolean): readonly string[] {
    const marked = places.some(({ fields }) => fields['primary'] === true);
    const texts = places.map(({ unit, fields: { job_title: title, primary, chief } }, index) => {
      const one = unit === null ? undefined : this.#byRef.get(unit);
      const isPrimary = marked ? primary === true : index === 0;
      const marks = [textOf(title), isPrimary ? 'primary' : '', chief === true && !isLocked ? 'chief' : ''];
      const serial =
        one === undefined || one.id === this.#root
          ? unit === null || one !== undefined
            ? '(root)'
            : unit
          : serialOf(one);
      return `${serial}[${marks.filter(Boolean).join(' ')}]`;
    });
    return texts.toSorted();
  }
}

const serialOf = ({ id, fields }: Unit): string => textOf(fields['serial_no']) || id;

function peopleOf(world: MemoryWorld): readonly Person[] {
  return world.people.filter((one): one is Person => 'username' in one);
}
