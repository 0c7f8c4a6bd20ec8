import { absentName, type DecidedBefore } from './deciding.ts';

/** A name that most have, as readings call it in `has`. */
export interface UsualName {
  readonly name: string;
  /** What stands before the names of the same partner, who may have none at all; absent: it is the own record's. */
  readonly partner?: string;
}

/** Names that most have, by what they decide: who is active, or who is in scope. */
export interface UsualNames {
  readonly active: readonly UsualName[];
  readonly scope: readonly UsualName[];
}

const SCOPE = 'source.people.where';
const ACTIVE = 'source.people.fields.active';

/**
 * Returns whether most have it: of those in scope, where that is known. Where a condition picks few people of many, others
 * do not have what it picks them by.
 */
export const isUsual = ({ had, of, scope = { had, of } }: DecidedBefore): boolean =>
  scope.had > 0 && scope.had * 2 >= scope.of;

/** Returns the names that most had in the last complete read. */
export function usualNames(names: readonly DecidedBefore[]): UsualNames {
  const usual = names.filter((one) => isUsual(one));
  const of = (place: string): readonly UsualName[] =>
    usual
      .filter(({ places = [] }) => places.includes(place))
      .map((one) => {
        const ofPartner = one.part === 'partners' && one.from !== undefined;
        return { name: absentName(one), ...(ofPartner && { partner: `${one.from}.` }) };
      });
  return { active: of(ACTIVE), scope: of(SCOPE) };
}

/** Returns which of them are absent. Whoever has no partner never had its values: these say nothing. */
export const lackingOf = (usual: readonly UsualName[], has: readonly string[]): readonly string[] =>
  usual
    .filter(({ partner }) => partner === undefined || has.some((name) => name.startsWith(partner)))
    .flatMap(({ name }) => (has.includes(name) ? [] : [name]));
