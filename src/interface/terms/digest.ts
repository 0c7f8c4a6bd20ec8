/** Returns whether a digest reads as MD5 in hex; the interface says of a digest that it is "typically MD5". */
export function isMd5(digest: string): boolean {
  return /^[\da-f]{32}$/iu.test(digest);
}
