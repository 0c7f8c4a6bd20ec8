/** Returns the secret in a text: a byte order mark, and line breaks at the end, are no part of it. */
export const secretIn = (text: string): string => text.replace(/^\uFEFF/u, '').replace(/[\r\n]+$/u, '');
