import type { Change, PersonChange, Plan } from '../../domain/changes.ts';

/** What another configuration would do, in numbers. */
export interface WhatIf {
  readonly people: {
    /** Would be missing or inactive: at once or after further reads. */
    readonly leave: number;
    readonly join: number;
    /** Would take over an account that is there: mostly the same people under other ids. */
    readonly adopt: number;
    /** Would be in other units. */
    readonly move: number;
    /** Would change in something else. */
    readonly change: number;
  };
  readonly units: {
    readonly appear: number;
    readonly move: number;
    readonly change: number;
    readonly go: number;
  };
}

/** Counts a plan. A unit that moves takes its people along: they count as changed only where their own record does. */
export function whatIf({ counts, waiting }: Plan, changes: Iterable<Change>): WhatIf {
  const { units, people } = counts;
  let [move, updates] = [0, 0];
  for (const change of changes) {
    if (change.subject !== 'person' || change.kind !== 'update') continue;
    if (isMove(change)) move += 1;
    else if (change.fields.length > 0 && change.cause === null) updates += 1;
  }
  const missing = waiting.reduce((sum, { count }) => sum + count, 0);
  return {
    people: {
      leave: missing + people.disable + people.remove,
      join: people.create + people.enable,
      adopt: people.adopt,
      move,
      change: updates,
    },
    units: {
      appear: units.create + units.adopt,
      move: units.move,
      change: units.update,
      go: units.remove,
    },
  };
}

function isMove({ before = [], payload }: PersonChange): boolean {
  const were = new Set(before.map(({ unit }) => unit));
  const are = new Set(payload.positions.map(({ unit }) => unit));
  return were.size !== are.size || [...are].some((unit) => !were.has(unit));
}

const WORDS = {
  people: {
    leave: 'would leave',
    join: 'would join',
    adopt: 'would take over accounts that are there',
    move: 'would be in other units',
    change: 'would change in something else',
  },
  units: {
    appear: 'would appear',
    move: 'would move',
    change: 'would change',
    go: 'would go',
  },
} as const satisfies { readonly [S in keyof WhatIf]: Readonly<Record<keyof WhatIf[S], string>> };

/** Returns the numbers as a sentence: `212 people would leave, 3 would join; 3 units would move.` */
export function whatIfText({ people, units }: WhatIf): string {
  const parts = [
    partsOf(people, WORDS.people, ['person', 'people']),
    partsOf(units, WORDS.units, ['unit', 'units']),
  ].filter((text) => text !== '');
  return parts.length === 0 ? 'Nothing would be different.' : `${parts.join('; ')}.`;
}

function partsOf<K extends string>(
  counts: Readonly<Record<K, number>>,
  words: Readonly<Record<K, string>>,
  [one, many]: readonly [string, string],
): string {
  const parts = (Object.keys(words) as K[]).filter((key) => counts[key] > 0);
  return parts
    .map((key, index) => {
      const noun = index > 0 ? '' : ` ${counts[key] === 1 ? one : many}`;
      return `${counts[key]}${noun} ${words[key]}`;
    })
    .join(', ');
}
