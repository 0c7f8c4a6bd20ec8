import { z } from 'zod';
import { MEMBERS_BY, NESTED, NESTED_DEPTH } from '../../domain/group-choices.ts';
import { REMEDY, section } from './checks/section.ts';
import { text } from './values.ts';

const by = z.enum(MEMBERS_BY);

const whole = section({
  by: by.describe('The attribute that tells who belongs to a group; memberOf is that of its members.'),
  compare: text
    .optional()
    .describe(
      'Attribute of people that values of memberUid are compared with: uid, or for example sAMAccountName.',
    ),
  nested: z
    .enum(NESTED)
    .default('units')
    .describe(
      'What a group in a group is: the unit below (units); one whose people belong to both (people); nothing (none).',
    ),
  depth: z
    .int()
    .min(1)
    .max(100)
    .default(NESTED_DEPTH)
    .describe('Groups, each in the next one, after which a read gives up.'),
});

/** How groups that are units tell their members. */
export const groupMembers = z
  .union([by, whole], {
    error: () =>
      `is no way to tell members${REMEDY}write ${MEMBERS_BY.join(', ')}, or { by: member, nested: units | people | none, depth: ${NESTED_DEPTH} }`,
  })
  .optional()
  .describe('The units are groups, and who is a member of one belongs to it. Positions default to that.');

/** Groups whose members alone are in scope. */
export const memberOf = z
  .union([text, z.array(text).min(1)], { error: () => `is no group${REMEDY}write its DN, or a list of DNs` })
  .optional()
  .describe(
    'DN of a group, or a list: only its members are in scope, also those of groups in it. As filter does.',
  );
