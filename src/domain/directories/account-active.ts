/** Returns the value of an attribute of one account; `undefined`: the server sent none. */
export type ReadValue = (attribute: string) => string | undefined;

export interface ActiveContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Decides whether an account is active. `null`: unknown, which never makes the person a leaver. */
export type IsActive = (read: ReadValue, context: ActiveContext) => boolean | null;

/** Bit of `userAccountControl` that says that the account is disabled ([MS-ADTS], 2.2.16, ADS_UF_ACCOUNTDISABLE). */
const DISABLED = 2n;

/** Decides it by `userAccountControl` and `accountExpires`, the attributes of Active Directory. */
export const isActiveMicrosoft: IsActive = (read, { now }) => {
  const control = integerOf(read('userAccountControl'));
  if (control === null) return null;
  if ((control & DISABLED) !== 0n) return false;
  const text = read('accountExpires');
  // Every account has this attribute. If it is absent, the reading account may not read it, or the server
  // lacks it.
  if (text === undefined) return null;
  const expires = fileTimeOf(text);
  return expires === null ? null : now < expires;
};

/**
 * Decides it by the attributes of OpenLDAP's password policy. A lock with a time comes from wrong passwords
 * and ends by itself. The lock from the year 0 is permanent (draft-behera-ldap-password-policy, 5.3.3).
 */
export const isActivePolicy: IsActive = (read, { now }) => {
  if (read('pwdAccountLockedTime') === '000001010000Z') return false;
  return isBefore(now, read('pwdEndTime'));
};

/** Decides it by `nsAccountLock`, which 389 Directory Server also computes from roles. */
export const isActiveUnlocked: IsActive = (read) => {
  const text = read('nsAccountLock')?.toLowerCase() ?? 'false';
  return text === 'false' ? true : text === 'true' ? false : null;
};

/** Decides it by `nsAccountLock` and the expiration of the Kerberos principal, the attributes of FreeIPA. */
export const isActiveIpa: IsActive = (read, context) => {
  const isUnlocked = isActiveUnlocked(read, context);
  return isUnlocked === true ? isBefore(context.now, read('krbPrincipalExpiration')) : isUnlocked;
};

/** Returns whether a time is in the future. An absent time counts as future. `null`: the text is not a time. */
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

const TIME =
  /^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?<h>\d\d)(?<mi>\d\d)?(?<s>\d\d)?(?:[.,]\d+)?(?:Z|(?<zh>[+-]\d\d)(?<zm>\d\d)?)$/u;

/** Returns milliseconds since the epoch for a generalizedTime (RFC 4517, 3.3.13); `null`: it is none. */
function generalizedTimeOf(text: string): number | null {
  const parts = TIME.exec(text)?.groups;
  if (parts === undefined) return null;
  const { y, mo, d, h, mi = '00', s = '00', zh = '+00', zm = '00' } = parts;
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${zh}:${zm}`);
  return Number.isNaN(time) ? null : time;
}
