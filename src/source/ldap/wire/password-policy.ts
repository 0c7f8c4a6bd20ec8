import { Control as LdaptsControl, type BerReader, type BerWriter } from 'ldapts';
import { BerCursor, ProtocolError, TAG } from './ber.ts';

/** Control that asks for the state of the password (draft-behera-ldap-password-policy, section 6). */
const POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';
/** Controls that 389 and its relatives send unasked: the password has expired or has to be changed; seconds until it expires. */
const EXPIRED = '2.16.840.1.113730.3.4.4';
const EXPIRING = '2.16.840.1.113730.3.4.5';

/** Of the elements of the answer: the warning, with one of two numbers, and the error. */
const PART = { warning: 0xa0, seconds: 0x80, grace: 0x81, error: 0x81 } as const;
const [PASSWORD_EXPIRED, CHANGE_AFTER_RESET] = [0, 2];

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

/** What a server says about the password at a bind. */
export class PasswordPolicy {
  readonly #policy = new HeardControl(POLICY);
  readonly #expired = new HeardControl(EXPIRED);
  readonly #expiring = new HeardControl(EXPIRING);
  readonly controls: LdaptsControl[] = [this.#policy, this.#expired, this.#expiring];

  /** Why the server refuses the bind, with what to do; absent: it does not say so. */
  whyRefused(): string | undefined {
    const { error = this.#expired.value === null ? undefined : PASSWORD_EXPIRED } = this.#answer();
    return ERRORS[error ?? -1];
  }

  /** Why nothing but a new password is allowed after the bind, with what to do; absent: all is allowed. */
  whyUseless(): string | undefined {
    const { error, grace } = this.#answer();
    const isReset = error === undefined && grace === undefined && this.#expired.value !== null;
    return isReset || error === CHANGE_AFTER_RESET ? ERRORS[CHANGE_AFTER_RESET] : undefined;
  }

  /** What is the matter with a password that is taken, with what to do; absent: nothing. */
  get warning(): string | undefined {
    const { error, grace, seconds = Number(this.#expiring.value ?? Infinity) } = this.#answer();
    const days = Math.ceil(seconds / DAY_SECONDS);
    const soon = days <= SOON_DAYS ? `expires within ${days} ${days === 1 ? 'day' : 'days'}` : undefined;
    const over = error === PASSWORD_EXPIRED ? 'has expired' : soon;
    const what = grace === undefined ? over : `has expired, and is taken ${grace} more times`;
    return what === undefined ? undefined : `${what}: set another one, ${NEW_ONE}`;
  }

  #answer(): PolicyAnswer {
    try {
      return this.#policy.value === null ? {} : answerIn(this.#policy.value);
    } catch (error) {
      // What is said aside must not end a read.
      if (error instanceof ProtocolError) return {};
      throw error;
    }
  }
}

/** The error, how many more binds an expired password is taken for, and seconds until it expires. */
type PolicyAnswer = Readonly<Partial<Record<'error' | 'grace' | 'seconds', number | undefined>>>;

function answerIn(value: Buffer): PolicyAnswer {
  const cursor = new BerCursor(value);
  const end = cursor.enter(TAG.sequence, value.length);
  const numberOf = (tag: number, limit: number): number | undefined =>
    cursor.tag(limit) === tag ? cursor.integer(tag, limit) : undefined;
  if (cursor.tag(end) !== PART.warning) return { error: numberOf(PART.error, end) };
  const warningEnd = cursor.enter(PART.warning, end);
  const [seconds, grace] = [numberOf(PART.seconds, warningEnd), numberOf(PART.grace, warningEnd)];
  return { seconds, grace, error: numberOf(PART.error, end) };
}

/** A control of an answer, whose value is kept. Only that of the policy is in the request too. */
class HeardControl extends LdaptsControl {
  /** `null`: it did not come. */
  value: Buffer | null = null;

  override write(writer: BerWriter): void {
    if (this.type === POLICY) super.write(writer);
  }

  override parse({ remainingBuffer }: BerReader): void {
    this.value = Buffer.from(remainingBuffer);
  }
}
