const ENDS: Readonly<Record<string, RegExp>> = {
  shadowExpire: /^\d/u,
  loginDisabled: /^true$/u,
  loginExpirationTime: /./u,
  nsAccountLock: /^true$/u,
  krbPrincipalExpiration: /./u,
  pwdAccountLockedTime: /^0000/u,
  pwdEndTime: /./u,
  'ds-pwp-account-disabled': /^true$/u,
  'ds-pwp-account-expiration-time': /./u,
  sambaAcctFlags: /d/u,
  inetUserStatus: /^(?:inactive|deleted)$/u,
  orclIsEnabled: /^disabled$/u,
  accountExpires: /^(?!0$|9223372036854775807$)./u,
  // Bit 2 of a decimal number.
  userAccountControl: /(?:(?:^|[02468])[2367]|[13579][014589])$/u,
};

/** Attributes of directories that can say that an account ends or is locked. */
export const KNOWN_ENDS: readonly string[] = [...Object.keys(ENDS), 'employeeType'];

/** Returns whether a value says that the account ends or is locked. */
export const saysEnd = (attribute: string, value: string): boolean =>
  ENDS[attribute]?.test(value.toLowerCase()) === true;

/** Active accounts may show these too. */
const SHOWN_BY_ALL = /^(?:sambaAcctFlags|inetUserStatus|orclIsEnabled|accountExpires|userAccountControl)$/u;
const LOCKS: ReadonlySet<string> = new Set(
  Object.keys(ENDS).flatMap((name) => (SHOWN_BY_ALL.test(name) ? [] : [name.toLowerCase()])),
);

/** Returns whether an account without this attribute is not locked; that of a partner is named `NAME.ATTRIBUTE`. */
export const isLock = (name: string): boolean => LOCKS.has((name.split('.').at(-1) ?? '').toLowerCase());
