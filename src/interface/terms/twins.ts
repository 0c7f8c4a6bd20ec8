/**
 * Two spellings of one parameter in the interface: what is given under one of them is sent under both, where the
 * operation takes both.
 */
export const TWINS: readonly (readonly [string, string])[] = [
  ['heigh', 'height'],
  ['appId', 'app_id'],
];
