import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import { showValue } from '../../domain/ports/service.ts';
import type { KnownRecord, Seen } from './known-record.ts';
import type { UnitNames } from './named-units.ts';
import type { WantedPosition } from './wanted-positions.ts';
import { printable } from '../../domain/text/printable.ts';

/** One position, with the name of its unit. */
export interface PositionRow {
  readonly unit: string;
  /** Position as last sent, e.g. `Engineer, primary`; `null`: not sent by us. */
  readonly sent: string | null;
  /** Position as the service shows it; `null`: it has no such position; no key: the service was not seen. */
  readonly service?: string | null;
  /** Position as the source has it now, where nobody can be put there, and why. */
  readonly source?: { readonly value: string; readonly problem: string };
}

function textOf(fields: Fields): string {
  const names = Object.keys(fields).toSorted();
  const words = names.flatMap((name) => wordOf(name, fields[name] ?? null));
  return words.length === 0 ? '(member)' : words.join(', ');
}

function wordOf(name: string, value: FieldValue | null): readonly string[] {
  if (value === null || value === '' || value === false) return [];
  if (value === true) return [printable(name)];
  return [name === 'job_title' ? showValue(value) : `${printable(name)} ${showValue(value)}`];
}

/** Keeps only mapped fields, which are ours to compare; `primary` always is. */
function mappedIn(fields: Fields, sent: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name === 'primary' || name in sent));
}

export interface PositionsInput {
  /** Positions as sent, or as they are to be sent. */
  readonly positions: KnownRecord['positions'];
  readonly seen: Seen | null;
  /** Positions in the source now, where it was asked. */
  readonly wanted: readonly WantedPosition[];
  readonly names: UnitNames;
}

/**
 * Returns our positions, then those of the source that nobody can be put in, then those that only the service
 * has.
 */
export function positionRows({ positions, seen, wanted, names }: PositionsInput): readonly PositionRow[] {
  const shown = new Map(seen?.positions.map(({ orgId, fields }) => [orgId, fields]));
  const open = wanted.flatMap((each) => problemOf(each, names));
  const ours = positions.map(({ unit, fields }): PositionRow => {
    const source = open.find((each) => each.id === unit)?.source;
    const row = { unit: names.unit(unit), sent: textOf(fields), ...(source !== undefined && { source }) };
    if (seen === null) return row;
    const there = shown.get(names.orgIdOf(unit) ?? '');
    return { ...row, service: there === undefined ? null : textOf(mappedIn(there, fields)) };
  });
  const sent = new Set(positions.map(({ unit }) => names.orgIdOf(unit)));
  const others = [...shown].filter(([orgId]) => !sent.has(orgId));
  return [
    ...ours,
    ...open
      .filter(({ id }) => !positions.some(({ unit }) => unit === id))
      .map(({ unit, source }) => ({ unit, sent: null, source })),
    ...others.map(([orgId, fields]) => ({
      unit: `${names.organization(orgId)}${names.leftBy(orgId) === null ? '' : ' (old node)'}`,
      sent: null,
      service: textOf(fields),
    })),
  ];
}

interface Open extends Required<Pick<PositionRow, 'unit' | 'source'>> {
  readonly id: string | null | undefined;
}

function problemOf({ unit, ref, fields, problem }: WantedPosition, names: UnitNames): readonly Open[] {
  if (problem === null) return [];
  const name = unit === undefined ? `"${showValue(ref)}"` : names.unit(unit);
  return [{ id: unit, unit: name, source: { value: textOf(fields), problem: names.inWords(problem) } }];
}
