/** A person whose username in the source differs from that of the account. */
export interface KeptUsername {
  readonly subject: 'person';
  readonly id: string;
  /** Username of the account. */
  readonly label: string;
  readonly inSource: string;
}
