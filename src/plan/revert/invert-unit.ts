import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { PinnedUnit } from '../../domain/reverting/pin.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { NO_UNIT } from '../units/unit-fields.ts';
import { sameValue } from '../values/compare.ts';
import type { Inverse } from './invert-person.ts';
import type { NetChange } from './net-change.ts';
import { cannot, changedSince, left, putBackFields, wasOther, type Remark, type Since } from './put-back.ts';

/** A unit as ledger and service have it now. */
export interface UnitNow extends Since {
  readonly entry: UnitEntry | null;
  readonly node: Organization | null;
  /** Whether somebody has put the node elsewhere. */
  readonly isElsewhere: boolean;
  readonly unitsGone: SyncSettings['unitsGone'];
  /** Returns whether a unit can hang below this one. */
  readonly isThere: (unit: string | null) => boolean;
  /** Returns whether the service has the picture of this value of `logo`. */
  readonly hasPicture: (logo: unknown) => boolean;
}

type UnitInverse = Inverse<PinnedUnit>;

const nothing = (...remarks: readonly Remark[]): UnitInverse => ({ wanted: null, back: [], remarks });

/**
 * Returns the inverse of what a run did to a unit: one that it created goes, once it is empty; one that moved moves
 * back, with a node that is made anew once more; others get back their values. A removed node cannot be brought back.
 */
export function invertUnit(done: NetChange, now: UnitNow): UnitInverse {
  const { entry, node } = now;
  if (done.kinds.has('remove'))
    return nothing(cannot('the unit was removed: only the source can have it made anew'));
  if (entry === null || entry.state !== 'managed') return nothing(left('is not managed any more'));
  if (node === null) return nothing(left('its node is not in the service any more'));
  if (now.isElsewhere) return nothing(left('parent: edited in the service since, so the whole unit stays'));
  if (now.edited.size > 0)
    return nothing(
      left(`${[...now.edited].join(', ')}: edited in the service since, so the whole unit stays`),
    );
  if (done.kinds.has('create')) return removed(now);
  const fields = putBackFields(
    entry.sent.fields,
    { ...done, fields: done.fields.filter(isUsable(now)) },
    now,
  );
  const parent = parentOf(done, entry.sent, now);
  const back = [...fields.back, ...parent.back];
  const remarks = [...lostPictures(done, now), ...fields.remarks, ...parent.remarks];
  if (back.length === 0) return remarks.length > 0 ? nothing(...remarks) : asBefore(done, entry);
  return { wanted: { is: { fields: fields.now, parent: parent.now } }, back, remarks };
}

function asBefore({ fields }: NetChange, { sent }: UnitEntry): UnitInverse {
  const back = fields.map(({ field }) => field);
  return { wanted: { is: sent }, isAsBefore: true, back, remarks: [] };
}

function removed({ unitsGone }: UnitNow): UnitInverse {
  if (unitsGone === 'keep') return nothing(cannot('units are never removed here (sync.unitsGone: keep)'));
  return { wanted: { is: null }, back: ['unit'], remarks: [] };
}

const isUsable =
  ({ hasPicture }: UnitNow) =>
  ({ field, from }: NetChange['fields'][number]): boolean =>
    field !== 'logo' || from === null || hasPicture(from);

function lostPictures({ fields }: NetChange, now: UnitNow): readonly Remark[] {
  return fields.every(isUsable(now))
    ? []
    : [cannot('logo: the service has the picture from before no longer')];
}

interface Parent {
  readonly now: UnitPayload['parent'];
  readonly back: readonly string[];
  readonly remarks: readonly Remark[];
}

function parentOf({ fields }: NetChange, sent: UnitPayload, { isThere, later }: UnitNow): Parent {
  const change = fields.find(({ field }) => field === 'parent');
  const stays = { now: sent.parent, back: [], remarks: [] };
  if (change === undefined || sameValue(sent.parent, change.from)) return stays;
  const { from, to } = change;
  if (!sameValue(sent.parent, to) || wasOther('parent', to, later))
    return { ...stays, remarks: [changedSince('parent', later)] };
  const before = typeof from === 'string' ? from : null;
  if (before !== NO_UNIT && isThere(before)) return { now: before, back: ['parent'], remarks: [] };
  return { ...stays, remarks: [cannot(`parent: ${before ?? 'the root'} is not there any more`)] };
}
