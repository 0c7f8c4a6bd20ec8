/** Ends a sentence with a full stop, unless it has an end of its own: `is it running?` stays as it is. */
export function withStop(sentence: string): string {
  return /[.?!…]$/u.test(sentence) ? sentence : `${sentence}.`;
}
