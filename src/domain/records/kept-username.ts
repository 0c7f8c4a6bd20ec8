/** A person whom the source calls otherwise than the account is called. */
export interface KeptUsername {
  readonly subject: 'person';
  readonly id: string;
  /** The account's username. */
  readonly label: string;
  readonly inSource: string;
}
