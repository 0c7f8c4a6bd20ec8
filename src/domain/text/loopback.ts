const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/iu;

/** Returns whether a host can be reached from this machine alone, by its name: `127.0.0.1`, `::1`, `localhost`. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
