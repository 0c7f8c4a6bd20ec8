import { PINNED_HASH } from '../../domain/records/pin.ts';

/** Of a staged person `d`: pinned by a revert. */
export const HAS_PINNED_HASH = `coalesce(substr(d.hash, 1, ${PINNED_HASH.length}) = '${PINNED_HASH}', 0)`;
