import { userInfo } from 'node:os';

/**
 * Returns who gives an approval at the command line, as history shows it: the user of the operating system, or the one
 * who called sudo.
 */
export function commandLineUser(): string {
  const { SUDO_USER = '' } = process.env;
  const name = process.getuid?.() === 0 && SUDO_USER !== '' ? SUDO_USER : nameOfUser();
  return `${name} (command line)`;
}

/** A container often has a user id without a name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
