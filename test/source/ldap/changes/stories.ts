import type { LdifEntry } from '../../../servers/ldif.ts';
import { ldif } from './staff.ts';

/** Where the stories happen, and how a server calls what stands there. */
export interface Stage {
  readonly base: string;
  /** Units: `b` stands in `a`, and `outside` beside the base. */
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly outside: string;
  /** Returns the RDN of a person. */
  readonly rdn: (id: string) => string;
  readonly person: (id: string, at: string) => LdifEntry;
  /** A value that the filter of people leaves out. */
  readonly retired: readonly [name: string, value: string];
}

const unit = (dn: string): LdifEntry => [dn, { objectClass: 'organizationalUnit' }];

/** What happens, who comes then, and how many left: of p1 and p2 in `a`, p3 in `b`, p4 in `c`, p5 outside. */
type Story = readonly [change: string, came: readonly string[], left: number];

export const STORIES: Readonly<Record<string, (stage: Stage) => Story>> = {
  'nothing at all': () => ['', [], 0],
  'a value that is mapped': ({ a, rdn }) => [set(`${rdn('p1')},${a}`, 'Another'), ['p1'], 0],
  'somebody new': ({ c, person }) => [ldif.add(person('p6', c)), ['p6'], 0],
  'somebody removed': ({ a, rdn }) => [ldif.remove(`${rdn('p2')},${a}`), [], 1],
  'somebody who leaves the filter': ({ a, rdn, retired }) => [
    ldif.set(`${rdn('p1')},${a}`, ...retired),
    [],
    1,
  ],
  'an entry with another name': ({ a, rdn }) => [
    ldif.rename(`${rdn('p1')},${a}`, `${rdn('p1')} b`),
    ['p1'],
    0,
  ],
  'an entry moved within the base': (stage) => [move(stage, 'p1', stage.a, stage.b), ['p1'], 0],
  'an entry moved out of the base': (stage) => [move(stage, 'p1', stage.a, stage.outside), [], 1],
  'an entry moved into the base': (stage) => [move(stage, 'p5', stage.outside, stage.c), ['p5'], 0],
  'an entry changed twice': ({ a, rdn }) => [
    set(`${rdn('p1')},${a}`, 'One') + set(`${rdn('p1')},${a}`, 'Two'),
    ['p1'],
    0,
  ],
  'a unit that gets another description': ({ a }) => [ldif.set(a, 'description', 'x'), [], 0],
};

/** What only a full read can tell. */
export const UNTOLD: Readonly<Record<string, (stage: Stage) => string>> = {
  'a new unit with a new person': ({ base, person }) =>
    [unit(`ou=n,${base}`), person('p6', `ou=n,${base}`)].map(ldif.add).join(''),
  'a unit renamed with its people': ({ a }) => ldif.rename(a, 'ou=renamed'),
  'a unit moved within the base with its people': ({ b, c }) => ldif.rename(b, 'ou=b', c),
  'a unit moved out of the base with its people': ({ b, outside }) => ldif.rename(b, 'ou=b', outside),
  'a unit moved into the base with its people': ({ base, outside }) =>
    ldif.rename(outside, outside.split(',', 1)[0] ?? '', base),
};

const set = (dn: string, name: string): string => ldif.set(dn, 'displayName', name);

const move = ({ rdn }: Stage, id: string, from: string, to: string): string =>
  ldif.rename(`${rdn(id)},${from}`, rdn(id), to);
