import type { FieldRule } from '../../../domain/settings.ts';
import type { Slots } from './raw-record.ts';
import type { Rule } from './rule.ts';

/** How records of this kind of source name each other. */
export interface Dialect {
  /** Spells equal names of attributes or columns equally. */
  readonly foldName: (name: string) => string;
  /** Spells equal references equally: a DN one way, anything else as it is. */
  readonly canonicalRef: (text: string) => string;
  /** Whether a canonical reference is the top of the units: a parent there is none. */
  readonly isTop: (ref: string) => boolean;
  /** Whether a canonical reference of a position stands for the service's root. */
  readonly isRoot: (ref: string) => boolean;
  readonly defaultRefs: (id: FieldRule) => readonly FieldRule[];
  readonly defaultParent: FieldRule | null;
  /** How records without a value are not read at all, in words; `name`: of the attribute or column, where it is one. */
  readonly leaveOut: (name: string | null) => string;
}

/** What compiling the rules of one part shares: its slots, and which of them hold secrets. */
export class Scope {
  /** In the configuration, e.g. `source.people.fields`. */
  readonly path: string;
  readonly slots: Slots;
  readonly dialect: Dialect;
  readonly #secretSlots: Set<number>;

  constructor(path: string, slots: Slots, dialect: Dialect, secretSlots: Set<number> = new Set()) {
    this.path = path;
    this.slots = slots;
    this.dialect = dialect;
    this.#secretSlots = secretSlots;
  }

  /** The same part below another path. */
  at(path: string): Scope {
    return new Scope(path, this.slots, this.dialect, this.#secretSlots);
  }

  /** Returns whether a rule reads a secret, its own or another field's. Compile the secret fields first. */
  readsSecret(rule: Rule, secret: boolean): boolean {
    if (secret) for (const slot of rule.slots) this.#secretSlots.add(slot);
    return secret || rule.slots.some((slot) => this.#secretSlots.has(slot));
  }

  isSecret(slot: number): boolean {
    return this.#secretSlots.has(slot);
  }
}
