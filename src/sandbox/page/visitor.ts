import type { IncomingMessage } from 'node:http';

/**
 * Returns why a request is not answered: another host's name in it means that a page elsewhere had its name point
 * here (DNS rebinding).
 */
export function refusesHost({ headers, socket }: IncomingMessage): string | undefined {
  const name = hostName(headers.host ?? '');
  const own = [socket.localAddress, socket.localAddress?.replace('::ffff:', '')];
  if (name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(name) || own.includes(name))
    return undefined;
  return 'The page is only shown under the address of this machine.';
}

/** Returns why a change is not made: only the page itself may ask for one, no page of another site. */
export function refusesChange({ headers }: IncomingMessage): string | undefined {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const own = headers.origin === `http://${headers.host}` && site === 'same-origin';
  if (!own) return 'Only the sandbox’s own page may ask for this.';
  const json = /^application\/json(?:;|$)/iu.test(headers['content-type'] ?? '');
  return json ? undefined : 'The Content-Type is not application/json.';
}

function hostName(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replaceAll(/^\[|\]$/gu, '') : '';
}
