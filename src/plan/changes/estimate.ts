import type { ChangeCounts } from '../../domain/changes.ts';
import type { ServiceSettings } from '../../domain/settings.ts';

/** One call looks whether the node is empty, one deletes it. */
const CALLS_PER_REMOVAL = 2;
/** One call changes the serial number; then the old node is removed like any other. */
const CALLS_PER_MOVE = 1 + CALLS_PER_REMOVAL;
/** Up to this many changed nodes are read back one by one, more of them by one list. */
const READ_ONE_BY_ONE = 2;

/** So many usernames of a usual length fit into an address, however many a question may have. */
const IN_ONE_ADDRESS = 500;

export interface Estimate {
  readonly calls: number;
  readonly seconds: number;
}

type Limits = ServiceSettings['limits'];

/**
 * Estimates how many calls apply and verify take, the reading back included, and how many seconds at the configured
 * pace.
 */
export function estimate({ units, people }: ChangeCounts, limits: Limits): Estimate {
  const calls =
    units.update +
    units.adopt +
    readBack(units.update + units.adopt) +
    2 * Math.ceil((units.create + units.move) / limits.unitsPerImport) +
    CALLS_PER_MOVE * units.move +
    readBack(units.move) +
    CALLS_PER_REMOVAL * units.remove +
    callsOfPeople(people, limits);
  return { calls, seconds: Math.ceil(calls / limits.requestsPerSecond) };
}

function readBack(units: number): number {
  return units <= READ_ONE_BY_ONE ? units : 1;
}

/**
 * Returns the calls for people. Those who are written are read back once; those who are enabled, disabled or removed
 * are looked at before and after.
 */
function callsOfPeople(people: ChangeCounts['people'], limits: Limits): number {
  const { peoplePerImport } = limits;
  const names = Math.min(limits.namesPerQuery, IN_ONE_ADDRESS);
  const looks = (count: number): number => Math.ceil(count / names);
  const imports = people.create + people.update + people.adopt + people.enable;
  return (
    Math.ceil(imports / peoplePerImport) +
    looks(imports) +
    people.disable +
    2 * looks(people.disable) +
    people.enable +
    2 * looks(people.enable) +
    Math.ceil(people.remove / peoplePerImport) +
    2 * looks(people.remove)
  );
}
