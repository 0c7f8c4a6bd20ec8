import type { Fields, FieldValue } from '../../domain/fields.ts';
import { showValue } from '../../domain/service.ts';
import type { KnownRecord, Seen } from './known-record.ts';
import type { UnitNames } from './unit-names.ts';

/** One position, by the name of its unit. */
export interface PositionRow {
  readonly unit: string;
  /** As last sent, e.g. `Engineer, primary`; `null`: not sent by us. */
  readonly sent: string | null;
  /** What the service shows of the same; `null`: it has no such position; no key: the service was not seen. */
  readonly service?: string | null;
}

function textOf(fields: Fields): string {
  const names = Object.keys(fields).toSorted();
  const words = names.flatMap((name) => wordOf(name, fields[name] ?? null));
  return words.length === 0 ? '(member)' : words.join(', ');
}

function wordOf(name: string, value: FieldValue | null): readonly string[] {
  if (value === null || value === '' || value === false) return [];
  if (value === true) return [name];
  return [name === 'job_title' ? showValue(value) : `${name} ${showValue(value)}`];
}

/** Only what is mapped is ours to compare; `primary` always is. */
function mappedIn(fields: Fields, sent: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name === 'primary' || name in sent));
}

/** Positions of ours, then those that only the service has. */
export function positionRows(
  positions: KnownRecord['positions'],
  seen: Seen | null,
  names: UnitNames,
): readonly PositionRow[] {
  const shown = new Map(seen?.positions.map(({ orgId, fields }) => [orgId, fields]));
  const ours = positions.map(({ unit, fields }): PositionRow => {
    const row = { unit: names.unit(unit), sent: textOf(fields) };
    if (seen === null) return row;
    const there = shown.get(names.orgIdOf(unit) ?? '');
    return { ...row, service: there === undefined ? null : textOf(mappedIn(there, fields)) };
  });
  const sent = new Set(positions.map(({ unit }) => names.orgIdOf(unit)));
  const others = [...shown].filter(([orgId]) => !sent.has(orgId));
  return [
    ...ours,
    ...others.map(([orgId, fields]) => ({
      unit: names.organization(orgId),
      sent: null,
      service: textOf(fields),
    })),
  ];
}
