/** Limits of the interface (section Limits). */
export const LIMITS = {
  directPeople: 400,
  buttonRows: 5,
  buttonsPerRow: 5,
  coverBytes: 20 * 1024,
  skip: 0,
  limit: 10,
} as const;

/** Error codes of the interface (section Errors). */
export const ERROR_CODES = {
  10011: 'token not found.',
  202012: 'no matching employee',
  208507: 'organization still has employees',
  208502: 'no matching organization',
} as const;
