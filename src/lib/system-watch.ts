import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Returns the id of this start of the machine, which only Linux tells; elsewhere two processes cannot compare
 * their watches.
 */
function bootId(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // A container may have a different time from its machine.
    return `${boot} ${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    return null;
  }
}

/** The port `Watch`: ms of the one system clock that nobody can set. */
export const systemWatch = {
  boot: bootId(),
  now: (): number => Number(process.hrtime.bigint() / 1_000_000n),
};
