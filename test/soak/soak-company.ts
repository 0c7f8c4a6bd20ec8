import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, person, unit } from '../sync/world.ts';

type Presence = 'in' | 'left' | 'missing';

interface SoakUnit {
  readonly id: string;
  parent: string | null;
  name: string;
  there: boolean;
}

interface SoakPerson {
  readonly id: string;
  title: string;
  unit: string;
  presence: Presence;
}

/** What one change is about. */
export interface Change {
  readonly kind: string;
  /** For ldapmodify. */
  readonly ldif: string;
  /** Ids of the records that are changed in the source. */
  readonly people: readonly string[];
}

const SUFFIX = 'dc=example,dc=com';
const BASE = `ou=company,${SUFFIX}`;
const FIXED = 24;
const GUESTS = 3;

/**
 * A company in a directory, as rollcall should bring it into the service. It changes again and again, and comes back to
 * where it was: the same people leave and return, the same units wander, go and are founded again. So nothing has a
 * reason to grow for ever. Who leaves sits in a unit that stays.
 */
export class SoakCompany {
  readonly #units = new Map<string, SoakUnit>();
  readonly #people: readonly SoakPerson[];
  readonly #guests: readonly SoakPerson[];
  #changes = 0;
  readonly #away: SoakPerson[] = [];

  constructor(people: number) {
    for (let k = 1; k <= FIXED; k += 1) this.#add(`f${k}`, k === 1 ? null : `f${Math.floor((k + 2) / 4)}`);
    this.#add('g1', 'f2');
    this.#add('g2', 'f3');
    this.#add('g3', 'g1');
    this.#people = Array.from({ length: people }, (_, i) => newPerson(`p${i}`, `f${1 + (i % FIXED)}`));
    this.#guests = ['g1', 'g2', 'g3'].flatMap((id) =>
      Array.from({ length: GUESTS }, (_, i) => newPerson(`q${id}${i}`, id)),
    );
  }

  /** Section `source` of the configuration. */
  source(login: { readonly url: string; readonly bindDn: string; readonly password: string }): object {
    return {
      type: 'ldap',
      url: login.url,
      bindDn: login.bindDn,
      bindPassword: login.password,
      units: {
        base: BASE,
        filter: '(objectClass=organizationalUnit)',
        fields: { id: 'businessCategory', refs: ['dn'], name: 'description' },
      },
      people: {
        base: BASE,
        filter: '(objectClass=inetOrgPerson)',
        fields: {
          id: 'employeeNumber',
          username: 'uid',
          name: 'cn',
          active: { expr: "employeeType != 'left'" },
          positions: [{ unit: 'parentDn', job_title: 'title', primary: { const: true } }],
        },
      },
    };
  }

  ldif(): string {
    const top = `dn: ${BASE}\nobjectClass: organizationalUnit\nou: company\n\n`;
    const units = [...this.#units.values()].map((one) => this.#unitLdif(one)).join('');
    return top + units + [...this.#people, ...this.#guests].map((one) => this.#personLdif(one)).join('');
  }

  /** What the service should hold; who is away is locked as they were. */
  get world(): MemoryWorld {
    return this.#worldOf(({ presence }) => presence === 'in');
  }

  /** The same with everybody in: how they were last sent. */
  get everybodyIn(): MemoryWorld {
    return this.#worldOf(() => true);
  }

  /** Makes the next change. */
  change(): Change {
    const n = this.#changes;
    this.#changes += 1;
    const kinds: readonly ((n: number) => Change)[] = [
      (count) => this.#retitle(count),
      (count) => this.#leave(count, 'left'),
      (count) => this.#leave(count, 'missing'),
      (count) => this.#moves(count),
      (count) => this.#comesBack(count),
      (count) => this.#renames(count),
      () => this.#wanders(),
      () => this.#dissolves(),
      (count) => this.#retitle(count),
      () => this.#founded(),
      (count) => this.#comesBack(count),
    ];
    return kinds[n % kinds.length]!(n);
  }

  #worldOf(isActive: (one: SoakPerson) => boolean): MemoryWorld {
    const units = [...this.#units.values()].filter(({ there }) => there);
    return {
      units: units.map(({ id, parent, name }) => unit(id, parent, { name })),
      people: [...this.#people, ...this.#guests].map((one) =>
        person(one.id, {
          username: one.id,
          active: isActive(one),
          positions: [at(one.unit, { job_title: one.title, primary: true })],
        }),
      ),
    };
  }

  #add(id: string, parent: string | null): void {
    this.#units.set(id, { id, parent, name: `Unit ${id}`, there: true });
  }

  #unit(id: string): SoakUnit {
    const found = this.#units.get(id);
    if (found === undefined) throw new Error(`no unit ${id}`);
    return found;
  }

  #in(n: number): SoakPerson {
    const here = this.#people.filter(({ presence }) => presence === 'in');
    return here[n % here.length]!;
  }

  #retitle(n: number): Change {
    const people = [this.#in(n * 7), this.#in(n * 7 + 1), this.#in(n * 7 + 2)];
    const ldif = people.map((one) => {
      one.title = `Title ${n}`;
      return `dn: ${this.#dn(one)}\nchangetype: modify\nreplace: title\ntitle: ${one.title}\n\n`;
    });
    return { kind: 'retitled', ldif: ldif.join(''), people: people.map(({ id }) => id) };
  }

  #leave(n: number, presence: 'left' | 'missing'): Change {
    const one = this.#in(n * 5 + 3);
    const dn = this.#dn(one);
    one.presence = presence;
    this.#away.push(one);
    const ldif =
      presence === 'missing'
        ? `dn: ${dn}\nchangetype: delete\n\n`
        : `dn: ${dn}\nchangetype: modify\nreplace: employeeType\nemployeeType: left\n\n`;
    return { kind: presence, ldif, people: [one.id] };
  }

  /** Whoever has been away for longest. Two or three are away at any time. */
  #comesBack(n: number): Change {
    if (this.#away.length < 3) return this.#retitle(n);
    const one = this.#away.shift()!;
    const wasMissing = one.presence === 'missing';
    one.presence = 'in';
    const ldif = wasMissing
      ? this.#personLdif(one, 'changetype: add\n')
      : `dn: ${this.#dn(one)}\nchangetype: modify\nreplace: employeeType\nemployeeType: staff\n\n`;
    return { kind: 'back', ldif, people: [one.id] };
  }

  #moves(n: number): Change {
    const one = this.#in(n * 3 + 1);
    return { kind: 'moved', ldif: this.#moveLdif(one, `f${1 + ((n * 11) % FIXED)}`), people: [one.id] };
  }

  #moveLdif(one: SoakPerson, to: string): string {
    const from = this.#dn(one);
    one.unit = to;
    return modrdn(from, `uid=${one.id}`, this.#unitDn(to));
  }

  #renames(n: number): Change {
    const one = this.#unit(`f${1 + ((n * 13) % FIXED)}`);
    one.name = `Unit ${one.id} of ${n}`;
    const ldif = `dn: ${this.#unitDn(one.id)}\nchangetype: modify\nreplace: description\ndescription: ${one.name}\n\n`;
    return { kind: 'unit renamed', ldif, people: [] };
  }

  /** With the unit below it, and the people of both. */
  #wanders(): Change {
    const one = this.#unit('g1');
    const from = this.#unitDn('g1');
    one.parent = one.parent === 'f2' ? 'f5' : 'f2';
    const people = this.#guests.filter(({ unit: id }) => id === 'g1' || id === 'g3').map(({ id }) => id);
    return { kind: 'unit moved', ldif: modrdn(from, 'ou=g1', this.#unitDn(one.parent)), people };
  }

  #dissolves(): Change {
    const guests = this.#guests.filter(({ unit: id }) => id === 'g2');
    const moved = guests.map((one) => this.#moveLdif(one, 'f4')).join('');
    const ldif = `${moved}dn: ${this.#unitDn('g2')}\nchangetype: delete\n\n`;
    this.#unit('g2').there = false;
    return { kind: 'unit dissolved', ldif, people: guests.map(({ id }) => id) };
  }

  #founded(): Change {
    const one = this.#unit('g2');
    one.there = true;
    const guests = this.#guests.filter(({ id }) => id.startsWith('qg2'));
    const moved = guests.map((each) => this.#moveLdif(each, 'g2')).join('');
    return {
      kind: 'unit founded',
      ldif: this.#unitLdif(one, 'changetype: add\n') + moved,
      people: guests.map(({ id }) => id),
    };
  }

  #unitDn(id: string): string {
    const { parent } = this.#unit(id);
    return `ou=${id},${parent === null ? BASE : this.#unitDn(parent)}`;
  }

  #dn({ id, unit: place }: SoakPerson): string {
    return `uid=${id},${this.#unitDn(place)}`;
  }

  #unitLdif({ id, name }: SoakUnit, how = ''): string {
    const fields = `ou: ${id}\nbusinessCategory: ${id}\ndescription: ${name}\n\n`;
    return `dn: ${this.#unitDn(id)}\n${how}objectClass: organizationalUnit\n${fields}`;
  }

  #personLdif(one: SoakPerson, how = ''): string {
    const { id, title } = one;
    const fields = `uid: ${id}\ncn: Name ${id}\nsn: ${id}\nemployeeNumber: ${id}\ntitle: ${title}\n\n`;
    return `dn: ${this.#dn(one)}\n${how}objectClass: inetOrgPerson\n${fields}`;
  }
}

const newPerson = (id: string, place: string): SoakPerson => ({
  id,
  title: 'Title',
  unit: place,
  presence: 'in',
});

const modrdn = (dn: string, rdn: string, superior: string): string =>
  `dn: ${dn}\nchangetype: modrdn\nnewrdn: ${rdn}\ndeleteoldrdn: 0\nnewsuperior: ${superior}\n\n`;
