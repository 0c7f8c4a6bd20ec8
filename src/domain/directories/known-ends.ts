/** Attributes that an account has only if it ends or is locked. */
const LOCKS =
  `shadowExpire loginDisabled loginExpirationTime nsAccountLock krbPrincipalExpiration pwdAccountLockedTime
  pwdEndTime ds-pwp-account-disabled ds-pwp-account-expiration-time`.split(/\s+/u);

/** Attributes of directories that can say that an account ends or is locked. */
export const KNOWN_ENDS: readonly string[] = [
  ...LOCKS,
  ...'sambaAcctFlags inetUserStatus orclIsEnabled accountExpires userAccountControl employeeType'.split(' '),
];

/** Values of these attributes by which an account is open without end. */
const OPEN = /^(?:|-1|0|9223372036854775807|false|active|enabled|\[[^D]*\])$/iu;

/** Returns whether a value says that the account ends or is locked; those of `employeeType` are words of the company. */
export function saysEnd(attribute: string, value: string): boolean {
  if (!KNOWN_ENDS.includes(attribute) || attribute === 'employeeType') return false;
  return attribute === 'userAccountControl' ? (Number(value) & 2) !== 0 : !OPEN.test(value);
}

const FOLDED: ReadonlySet<string> = new Set(LOCKS.map((name) => name.toLowerCase()));

/** Returns whether an account without this attribute is not locked; that of a partner is named `NAME.ATTRIBUTE`. */
export const isLock = (name: string): boolean => FOLDED.has((name.split('.').at(-1) ?? '').toLowerCase());
