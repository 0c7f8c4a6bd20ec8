import type { LongIds } from '../world/long-ids.ts';
import type { Readings } from '../readings/readings.ts';
import type { WireValue } from '../wire/wire-value.ts';
import type { PushRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** What every operation works with. */
export interface Service {
  readonly world: World;
  readonly ids: LongIds;
  readonly readings: Readings;
  /** Whether what the interface does not have is refused. */
  readonly strict: boolean;
  readonly domainId: string;
  readonly orgCode: string;
  /** The application that the calls come from. */
  readonly applicationId: string;
  /** Tells of a message that was pushed. */
  readonly pushed: (push: PushRecord) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** One call, taken apart. */
export interface Request {
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: WireValue | undefined;
}

/** Returns the `result` of the envelope, or throws Refused. */
export type Operation = (service: Service, request: Request) => WireValue;
