import { userInfo } from 'node:os';

/** Returns who gives an approval at the command line, as history shows it: the user, or who called sudo and as whom. */
export function commandLineUser({ SUDO_USER = '' }: NodeJS.ProcessEnv): string {
  return `${SUDO_USER === '' ? '' : `${SUDO_USER} as `}${nameOfUser()} (command line)`;
}

/** A container often has a user id without a name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
