import type { Change, PersonChangeKind, UnitChangeKind } from '../../domain/changes.ts';
import type { Tone } from '../../domain/text/line.ts';

interface KindWords {
  /** The sign in front of a line of the plan. */
  readonly sign: string;
  readonly tone: Tone;
  /** What `explain` says before it is done. */
  readonly willBe: string;
}

interface UnitTraits extends KindWords {
  /** The unit gets a node that is made for it. */
  readonly makesNode: boolean;
  /** The unit had no node of ours before. */
  readonly joins: boolean;
}

interface PersonTraits extends KindWords {
  /** The change is sent by an import, which needs the units of the positions to be there. */
  readonly isImported: boolean;
  /** The account is locked or removed; until then the person stays in the units. */
  readonly leaves: boolean;
}

const CREATE = { sign: '+', tone: 'joins', willBe: 'is to be created' } as const;
const UPDATE = { sign: '~', tone: 'changes', willBe: 'is to be updated' } as const;
const ADOPT = { sign: '=', tone: 'adopted', willBe: 'is to be adopted' } as const;
const REMOVE = { sign: '-', tone: 'leaves', willBe: 'is to be removed' } as const;

/**
 * Every kind of change of a unit, and what it means wherever that matters. To add a kind, begin in `domain/changes.ts`:
 * the compiler then asks for it here, and in `sync/` for the step that sends it.
 */
export const UNIT_KINDS: Readonly<Record<UnitChangeKind, UnitTraits>> = {
  create: { ...CREATE, makesNode: true, joins: true },
  adopt: { ...ADOPT, makesNode: false, joins: true },
  update: { ...UPDATE, makesNode: false, joins: false },
  move: { sign: '>', tone: 'moves', willBe: 'is to be moved', makesNode: true, joins: false },
  remove: { ...REMOVE, makesNode: false, joins: false },
};

const IMPORTED = { isImported: true, leaves: false } as const;
const LEAVES = { isImported: false, leaves: true } as const;

/** The same for people. */
export const PERSON_KINDS: Readonly<Record<PersonChangeKind, PersonTraits>> = {
  create: { ...CREATE, ...IMPORTED },
  adopt: { ...ADOPT, ...IMPORTED },
  update: { ...UPDATE, ...IMPORTED },
  enable: { sign: '+', tone: 'joins', willBe: 'is to be enabled', ...IMPORTED },
  disable: { sign: '-', tone: 'leaves', willBe: 'is to be disabled', ...LEAVES },
  remove: { ...REMOVE, ...LEAVES },
  forget: {
    sign: '?',
    tone: 'quiet',
    willBe: 'is no longer in the service, and is to be forgotten',
    isImported: false,
    leaves: false,
  },
};

const WORDS: Readonly<Record<Change['kind'], KindWords>> = { ...UNIT_KINDS, ...PERSON_KINDS };

/** Returns the words for a kind, the same for units and people. */
export function wordsOf(kind: Change['kind']): KindWords {
  return WORDS[kind];
}
