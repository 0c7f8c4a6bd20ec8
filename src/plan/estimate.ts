import type { ChangeCounts } from '../domain/changes.ts';
import type { ServiceSettings } from '../domain/settings.ts';

/** Usernames that fit into one URL of the employees list, about. */
const USERNAMES_PER_LOOK = 250;

/** Serial number changed and read back; the old node looked at, twice, and deleted. */
const CALLS_PER_MOVE = 5;

export interface Estimate {
  readonly calls: number;
  readonly seconds: number;
}

/** Calls that apply and verify will take, and how long they take at the pace. */
export function estimate({ units, people }: ChangeCounts, limits: ServiceSettings['limits']): Estimate {
  const imports = people.create + people.update + people.adopt + people.enable;
  const leavers = people.disable + people.remove;
  const looks =
    Math.ceil(imports / USERNAMES_PER_LOOK) + Math.ceil((leavers + people.enable) / USERNAMES_PER_LOOK);
  const calls =
    2 * Math.ceil((units.create + units.move) / limits.unitsPerImport) +
    units.update +
    units.adopt +
    CALLS_PER_MOVE * units.move +
    2 * units.remove +
    Math.ceil(imports / limits.peoplePerImport) +
    people.disable +
    people.enable +
    Math.ceil(people.remove / limits.peoplePerImport) +
    looks;
  return { calls, seconds: Math.ceil(calls / limits.requestsPerSecond) };
}
