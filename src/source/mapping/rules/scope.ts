import type { FieldRule } from '../../../domain/settings.ts';
import type { Slots } from './raw-record.ts';
import type { Rule } from './rule.ts';

/** How records of this kind of source name each other. */
export interface Dialect {
  /** Returns the same spelling for equal names of attributes or columns. */
  readonly foldName: (name: string) => string;
  /** Returns the same spelling for equal references: a DN in canonical form, anything else as it is. */
  readonly canonicalRef: (text: string) => string;
  /** Returns whether a canonical reference is the top of the units: as a parent it means none. */
  readonly isTop: (ref: string) => boolean;
  /** Returns whether a canonical reference of a position stands for the service's root. */
  readonly isRoot: (ref: string) => boolean;
  readonly defaultRefs: (id: FieldRule) => readonly FieldRule[];
  readonly defaultParent: FieldRule | null;
  /**
   * Says how to keep records without a value from being read; `name`: the attribute or column, where it is
   * one.
   */
  readonly leaveOut: (name: string | null) => string;
}

/** What the rules of one part share while they are compiled: the slots, and which of them hold secrets. */
export class Scope {
  /** Path in the configuration, e.g. `source.people.fields`. */
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

  /** Returns the scope for the same part below another path. */
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
