import { ORIGINS, type Blocked } from '../../domain/changes.ts';
import { listSome } from '../../domain/text/printable.ts';

/** A record that somebody edited in the service, with `sync.drift: report`. */
export function leftEdited(record: Omit<Blocked, 'reason'>, fields: readonly string[]): Blocked {
  return {
    ...record,
    reason: `${listSome(fields, { atMost: 10 })} ${ORIGINS.edited}: left so (sync.drift: report)`,
  };
}
