/** Returns the text as a regular expression that matches this text alone. */
export const escapedPattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
