import { describe, expect, test } from 'vitest';

import { mapUnit } from './map-records.ts';

const typed = (kind: string) => mapUnit({ fields: { type: 'kind' } }, { kind });

describe('a unit', () => {
  test('is named by its refs in canonical text, each once', () => {
    const refs = ['id', 'code', 'names'];
    expect(mapUnit({ refs }, { code: 'u1', names: ['B', 'A'] })).toMatchObject({
      record: { id: 'U1', refs: ['u1', 'a', 'b'] },
    });
  });

  test.each([
    ['another unit', 'U2', 'u2'],
    ['nobody', undefined, null],
    ['itself', 'u1', null],
    ['the base', 'Root', null],
  ])('whose parent is %s', (_, parent, expected) => {
    expect(mapUnit({ parent: 'parent' }, { parent })).toMatchObject({ record: { parent: expected } });
  });

  test('keeps its name as it is, with all its characters', () => {
    const name = 'R+D / "Lab" \\ 研发部 🚀\u0000e\u0301';
    expect(mapUnit({}, { name: `  ${name} ` })).toMatchObject({ record: { fields: { name } } });
  });

  test.each([
    ['id', { id: undefined }, null],
    ['id', { id: ['U1', 'U2'] }, null],
    ['name', { name: ' ' }, 'U1'],
    ['serial_no', { serial: 'x' }, 'U1'],
  ])('is refused for its %s', (field, raw, id) => {
    const serial = { expr: "serial == '' ? '1' : string(int(serial))" };
    const reading = mapUnit({ fields: { serial_no: serial }, refs: ['code'] }, { code: 'C1', ...raw });
    expect(reading).toMatchObject({ ok: false, refusal: { subject: 'unit', id, field, unitRefs: ['c1'] } });
  });

  test('goes on without a field that it does not need and that cannot be read', () => {
    const reading = mapUnit(
      { fields: { sort_order: 'sort', tel: 'tel', type: 'kind' } },
      { sort: '1.5', tel: '7', kind: 'Department' },
    );
    expect(reading).toMatchObject({
      ok: true,
      record: { losses: [{ field: 'sort_order' }, { field: 'type' }] },
    });
    expect(reading.ok && reading.record.fields).toEqual({ name: 'Sales', tel: '7' });
  });

  test('is told which types there are', () => {
    expect(typed('CORP')).toMatchObject({ ok: true, record: { fields: { type: 'CORP' } } });
    expect(typed('dept')).toMatchObject({
      ok: true,
      record: { losses: [{ field: 'type', reason: '"dept" is not DEPT or CORP' }] },
    });
  });
});
