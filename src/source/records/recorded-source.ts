import type { Reading, Unit } from '../../domain/records/records.ts';
import type { Source, SourceRead } from '../../domain/reading/source.ts';
import { lazily } from './mapped.ts';

/**
 * Returns a source whose reads are those of an earlier read, with the age. Pictures were not kept and are not fetched:
 * logos are not mapped, and stay as they are.
 *
 * @param at when that read began, ms
 */
export function recordedSource(source: Source, at: number): Source {
  return {
    ...source,
    recordedAt: at,
    besides: null,
    open: async (signal) => withoutLogos(await source.open(signal), at),
  };
}

function withoutLogos(read: SourceRead, at: number): SourceRead {
  return {
    units: async function* units() {
      for await (const batch of read.units()) yield lazily(batch, withoutLogo);
    },
    positions: () => read.positions(),
    people: () => read.people(),
    hide: (names) => read.hide(names),
    expect: (groups) => read.expect(groups),
    lookOutside: () => read.lookOutside(),
    evidence: () => ({ ...read.evidence(), recordedAt: at }),
    mayChange: () => read.mayChange(),
    close: () => read.close(),
  };
}

function withoutLogo(reading: Reading<Unit>): Reading<Unit> {
  if (!reading.ok || !('logo' in reading.record.fields)) return reading;
  const { logo: _, ...fields } = reading.record.fields;
  return { ...reading, record: { ...reading.record, fields } };
}
