import type { Source } from '../../../../src/domain/reading/source.ts';
import { openSource } from '../../../../src/source/open-source.ts';
import { added, type LdifEntry } from '../../../servers/ldif.ts';
import { startSamba, type Samba } from '../../../servers/samba.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../../../servers/slapd.ts';
import { boundTo, directorySettings } from '../../directory-settings.ts';

export const SYNCED: SlapdOptions = {
  head: 'moduleload syncprov',
  config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000',
};

/** Servers that tell what changed. */
export const KINDS = {
  slapd: {
    how: 'syncrepl',
    start: (): Promise<Slapd | Samba> => startSlapd(SYNCED),
    vendor: 'openldap',
    person: { objectClass: 'inetOrgPerson', sn: 'x' },
    filter: '(objectClass=inetOrgPerson)',
    login: 'uid',
  },
  samba: {
    how: 'dirsync',
    start: (): Promise<Slapd | Samba> => startSamba(),
    vendor: 'samba',
    person: { objectClass: 'user' },
    filter: '(&(objectCategory=person)(objectClass=user))',
    login: 'sAMAccountName',
  },
} as const;

type Server = Pick<Slapd | Samba, 'url' | 'bindDn' | 'password' | 'suffix' | 'modify'>;

const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

/** Two units with two people, one unit below the other, one more with one, and a place outside with another. */
export class Stage {
  readonly base: string;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly outside: string;
  readonly #kind: (typeof KINDS)[keyof typeof KINDS];
  readonly #server: Server;
  readonly #turn: number | '';

  /** @param turn tells it from other stages of the same server */
  constructor(kind: keyof typeof KINDS, server: Server, turn: number | '' = '') {
    this.#kind = KINDS[kind];
    this.#server = server;
    this.#turn = turn;
    this.base = `ou=company${turn},${server.suffix}`;
    [this.a, this.c] = [`ou=a,${this.base}`, `ou=c,${this.base}`];
    [this.b, this.outside] = [`ou=b,${this.a}`, `ou=elsewhere${turn},${server.suffix}`];
    const { a, b, c, outside } = this;
    const people = [
      this.person('p1', a),
      this.person('p2', a),
      this.person('p3', b),
      this.person('p4', c),
      this.person('p5', outside),
    ];
    server.modify(added([...[this.base, a, b, c, outside].map(unit), ...people]));
  }

  id(name: string): string {
    return this.#turn === '' ? name : `${name}t${this.#turn}`;
  }

  dn(name: string, at: string): string {
    return `cn=${this.id(name)},${at}`;
  }

  person(name: string, at: string): LdifEntry {
    const { person, login } = this.#kind;
    const names = { cn: this.id(name), [login]: this.id(name), displayName: `Name of ${name}` };
    return [this.dn(name, at), { ...person, ...names }];
  }

  /** Returns what reads the people below the base who are not retired. */
  source(people: object = {}, more: object = {}): Source {
    const { vendor, filter, login } = this.#kind;
    const { base } = this;
    const settings = directorySettings({
      ...boundTo(this.#server),
      vendor,
      changes: 'auto',
      units: { base },
      people: { base, filter: `(&${filter}(!(title=retired)))`, fields: { id: login }, ...people },
      ...more,
    });
    return openSource(settings);
  }

  add(...people: readonly (readonly [name: string, at: string])[]): string {
    return added(people.map(([name, at]) => this.person(name, at)));
  }

  addUnit(dn: string): string {
    return added([unit(dn)]);
  }

  set(name: string, at: string, value: string, attribute = 'displayName'): string {
    return ldif.set(this.dn(name, at), attribute, value);
  }

  remove(name: string, at: string): string {
    return ldif.remove(this.dn(name, at));
  }

  move(name: string, from: string, to: string): string {
    return ldif.rename(this.dn(name, from), `cn=${this.id(name)}`, to);
  }
}

/** What ldapmodify does to one entry. */
export const ldif = {
  add: (entry: LdifEntry): string => added([entry]),
  remove: (dn: string): string => `dn: ${dn}\nchangetype: delete\n\n`,
  set: (dn: string, name: string, value: string): string =>
    `dn: ${dn}\nchangetype: modify\nreplace: ${name}\n${name}: ${value}\n\n`,
  rename: (dn: string, rdn: string, above?: string): string =>
    `dn: ${dn}\nchangetype: modrdn\nnewrdn: ${rdn}\ndeleteoldrdn: 1\n${above === undefined ? '' : `newsuperior: ${above}\n`}\n`,
} as const;
