import { Control as LdaptsControl, type BerReader, type BerWriter } from 'ldapts';
import { BerCursor, ProtocolError, TAG } from './ber.ts';

/** Control that asks for the state of the password (draft-behera-ldap-password-policy, section 6). */
const POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';
/** Controls that 389 and its relatives send unasked: the password has expired or has to be changed; seconds until it expires. */
const EXPIRED = '2.16.840.1.113730.3.4.4';
const EXPIRING = '2.16.840.1.113730.3.4.5';

/** Of the elements of the answer: the warning, with one of two numbers, and the error. */
const PART = { warning: 0xa0, seconds: 0x80, grace: 0x81, error: 0x81 } as const;
const PASSWORD_EXPIRED = 0;
const CHANGE_AFTER_RESET = 2;

const NEW_ONE = 'write the new one where source.bindPassword has it';
/** What is wrong, and what to do, by the error of the answer. */
const ERRORS: Readonly<Record<number, string>> = {
  [PASSWORD_EXPIRED]: `its password has expired: set another one, and ${NEW_ONE}`,
  1: 'the account is locked: unlock it in the directory',
  [CHANGE_AFTER_RESET]: `its password has to be changed first: do that as this account, and ${NEW_ONE}`,
};

/** An end that is later than that is no matter yet. */
const SOON_SECONDS = 30 * 86_400;

/** What a server says about the password at a bind. */
export class PasswordPolicy {
  readonly #policy = new HeardControl(POLICY);
  readonly #expired = new HeardControl(EXPIRED);
  readonly #expiring = new HeardControl(EXPIRING);

  get controls(): LdaptsControl[] {
    return [this.#policy, this.#expired, this.#expiring];
  }

  /** Why the server refuses the bind, with what to do; absent: it does not say so. */
  whyRefused(): string | undefined {
    const { error = this.#expired.value === null ? undefined : PASSWORD_EXPIRED } = this.#answer();
    return error === undefined ? undefined : ERRORS[error];
  }

  /** Why nothing but a new password is allowed after the bind, with what to do; absent: all is allowed. */
  whyUseless(): string | undefined {
    const { error, grace } = this.#answer();
    const isReset = error === undefined && grace === undefined && this.#expired.value !== null;
    return isReset || error === CHANGE_AFTER_RESET ? ERRORS[CHANGE_AFTER_RESET] : undefined;
  }

  /** Sentences about a password that will soon be refused. */
  get warnings(): readonly string[] {
    const { error, grace, seconds = Number(this.#expiring.value ?? Infinity) } = this.#answer();
    const remedy = `set another one, and ${NEW_ONE}`;
    if (grace !== undefined) return [`has expired, and is taken ${grace} more times: ${remedy}`];
    if (error === PASSWORD_EXPIRED) return [`has expired: ${remedy}`];
    return seconds < SOON_SECONDS ? [`expires within ${timeOf(seconds)}: ${remedy}`] : [];
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

interface PolicyAnswer {
  readonly error?: number | undefined;
  /** How many more binds an expired password is taken for. */
  readonly grace?: number | undefined;
  /** Until it expires. */
  readonly seconds?: number | undefined;
}

function answerIn(value: Buffer): PolicyAnswer {
  const cursor = new BerCursor(value);
  const end = cursor.enter(TAG.sequence, value.length);
  const numberOf = (tag: number, limit: number): number | undefined =>
    cursor.tag(limit) === tag ? cursor.integer(tag, limit) : undefined;
  if (cursor.tag(end) !== PART.warning) return { error: numberOf(PART.error, end) };
  const warningEnd = cursor.enter(PART.warning, end);
  const [seconds, grace] = [numberOf(PART.seconds, warningEnd), numberOf(PART.grace, warningEnd)];
  cursor.at = warningEnd;
  return { seconds, grace, error: numberOf(PART.error, end) };
}

function timeOf(seconds: number): string {
  const days = Math.ceil(seconds / 86_400);
  return days > 2 ? `${days} days` : `${Math.max(2, Math.ceil(seconds / 3_600))} hours`;
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
