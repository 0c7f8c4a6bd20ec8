import { BerCursor, ProtocolError, TAG } from './ber.ts';
import type { Controls } from './controls.ts';

/** Control that asks for the state of the password, and the answer (draft-behera-ldap-password-policy, section 6). */
export const POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';

/** Of the elements of the answer: the warning, with one of two numbers, and the error. */
const PART = { warning: 0xa0, seconds: 0x80, grace: 0x81, error: 0x81 } as const;
const CHANGE_AFTER_RESET = 2;

const NEW_ONE = 'and write the new one where source.bindPassword has it';
/** What is wrong, and what to do, by the number of the error. */
const ERRORS = [
  `its password has expired: set another one, ${NEW_ONE}`,
  'the account is locked: unlock it in the directory',
  `its password has to be changed first: do that as this account, ${NEW_ONE}`,
];

const DAY_SECONDS = 86_400;
/** An end that is later than in so many days is no matter yet. */
const SOON_DAYS = 30;

/** What a server says about the password at a bind, each with what to do. */
export interface PasswordState {
  /** Why it refuses the bind. */
  readonly refused?: string | undefined;
  /** Why nothing but a new password is allowed after the bind. */
  readonly useless?: string | undefined;
  /** What is the matter with a password that is taken. */
  readonly warning?: string | undefined;
}

/** Returns what the result of a bind says of the password. What is said aside and is not understood ends no read. */
export function policyOf(controls: Controls): PasswordState {
  try {
    const value = controls.get(POLICY);
    return value === undefined ? {} : stateIn(BerCursor.within(value, TAG.sequence));
  } catch (error) {
    if (error instanceof ProtocolError) return {};
    throw error;
  }
}

const numberIn = (parts: BerCursor, tag: number): number | null =>
  parts.bytes[parts.at] === tag ? parts.integer(tag) : null;

function stateIn(parts: BerCursor): PasswordState {
  const warning = new BerCursor(parts.maybe(PART.warning) ?? Buffer.alloc(0));
  const [seconds, grace] = [numberIn(warning, PART.seconds), numberIn(warning, PART.grace)];
  const refused = ERRORS[numberIn(parts, PART.error) ?? -1];
  const useless = refused === ERRORS[CHANGE_AFTER_RESET] ? refused : undefined;
  const days = Math.ceil((seconds ?? Infinity) / DAY_SECONDS);
  const soon = days <= SOON_DAYS ? `expires within ${days} ${days === 1 ? 'day' : 'days'}` : undefined;
  const what = grace === null ? soon : `has expired, and is taken ${grace} more times`;
  return { refused, useless, warning: what && `${what}: set another one, ${NEW_ONE}` };
}
