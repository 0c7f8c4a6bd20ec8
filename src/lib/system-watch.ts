import { readFileSync, readlinkSync } from 'node:fs';

/** Linux tells them; elsewhere two processes cannot compare their watches. */
function bootId(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // A container may have a time of its own on the same machine.
    return `${boot} ${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    return null;
  }
}

/** The port `Watch`: ms of the one clock of the system that nobody can set. */
export const systemWatch = {
  boot: bootId(),
  now: (): number => Number(process.hrtime.bigint() / 1_000_000n),
};
