/** Returns the value of an attribute of one account; `undefined`: the server sent none. */
export type ReadValue = (attribute: string) => string | undefined;

export interface ActiveContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Tells whether an account is active; `null`: it cannot be told, which never means that somebody left. */
export type IsActive = (read: ReadValue, context: ActiveContext) => boolean | null;

/** Bit of `userAccountControl` that says that the account is disabled ([MS-ADTS], 2.2.16, ADS_UF_ACCOUNTDISABLE). */
const DISABLED = 2n;

/** Tells it from `userAccountControl` and `accountExpires`, as Active Directory has them. */
export const isActiveMicrosoft: IsActive = (read, { now }) => {
  const control = integerOf(read('userAccountControl'));
  if (control === null) return null;
  if ((control & DISABLED) !== 0n) return false;
  const text = read('accountExpires');
  // Every account has one: where it is absent it may not be read, or the server does not have it.
  if (text === undefined) return null;
  const expires = fileTimeOf(text);
  return expires === null ? null : now < expires;
};

/**
 * Tells it from the attributes of OpenLDAP's password policy. A lock with a time comes from wrong passwords
 * and passes; the one from the year 0 is for good (draft-behera-ldap-password-policy, 5.3.3).
 */
export const isActivePolicy: IsActive = (read, { now }) => {
  if (read('pwdAccountLockedTime') === '000001010000Z') return false;
  return isBefore(now, read('pwdEndTime'));
};

/** Tells it from `nsAccountLock`, which 389 Directory Server also computes from roles. */
export const isActiveUnlocked: IsActive = (read) => {
  const text = read('nsAccountLock')?.toLowerCase() ?? 'false';
  return text === 'false' ? true : text === 'true' ? false : null;
};

/** Tells it from `nsAccountLock` and the end of the Kerberos principal, as FreeIPA has them. */
export const isActiveIpa: IsActive = (read, context) => {
  const isUnlocked = isActiveUnlocked(read, context);
  return isUnlocked === true ? isBefore(context.now, read('krbPrincipalExpiration')) : isUnlocked;
};

/** Returns whether a time has not come yet; an absent one never comes; `null`: it is no time. */
function isBefore(now: number, text: string | undefined): boolean | null {
  if (text === undefined) return true;
  const end = generalizedTimeOf(text);
  return end === null ? null : now < end;
}

function integerOf(text: string | undefined): bigint | null {
  return text !== undefined && /^-?\d{1,20}$/u.test(text) ? BigInt(text) : null;
}

/** FILETIME of the year 10000: 0 and what is not before it mean never in `accountExpires` ([MS-ADA1], 2.2). */
const NEVER = 2_650_467_744_000_000_000n;
/** Number of 100 ns from 1601, where FILETIME begins, to 1970. */
const FILETIME_1970 = 116_444_736_000_000_000n;

/** Returns milliseconds since the epoch for a FILETIME; `Infinity`: never; `null`: it is none. */
function fileTimeOf(text: string): number | null {
  const value = integerOf(text);
  if (value === null) return null;
  return value === 0n || value >= NEVER ? Infinity : Number((value - FILETIME_1970) / 10_000n);
}

const TIME = /^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?<h>\d\d)(?<mi>\d\d)?(?<s>\d\d)?(?:[.,]\d+)?Z$/u;

/** Returns milliseconds since the epoch for a generalizedTime in UTC (RFC 4517, 3.3.13); `null`: it is none. */
function generalizedTimeOf(text: string): number | null {
  const parts = TIME.exec(text)?.groups;
  if (parts === undefined) return null;
  const { y, mo, d, h, mi = '00', s = '00' } = parts;
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  return Number.isNaN(time) ? null : time;
}
