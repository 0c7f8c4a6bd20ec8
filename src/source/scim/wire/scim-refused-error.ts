import { SourceError } from '../../../domain/errors.ts';

interface Refused {
  readonly status: number;
  readonly words: string;
}

/** A SCIM server answered, though not with what it was asked for. */
export class ScimRefusedError extends SourceError {
  /** Of HTTP. */
  readonly status: number;
  /** The status with the server's own words: `400: Bad filter`. */
  readonly words: string;

  constructor(message: string, { status, words }: Refused) {
    super(message);
    this.status = status;
    this.words = words;
  }
}
