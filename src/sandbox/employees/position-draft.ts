import { identifier, readFields } from '../operation/body-fields.ts';
import type { OrganizationRecord, PositionRecord } from '../world/records.ts';
import { invalid } from '../operation/refused.ts';
import type { Service } from '../operation/service.ts';
import { isList, isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';

/** A position of a body with its node resolved. It is complete: a field that is not there is empty. */
export type PositionDraft = Omit<PositionRecord, 'id'>;

const POSITION_FIELDS = { job_title: 'text', primary: 'flag', chief: 'flag', source_type: 'text' } as const;

/** Reads positions, which are required (interface: "org_id and org_path must not both be empty"). */
export function readPositions(service: Service, value: WireValue | undefined): readonly PositionDraft[] {
  if (!isList(value)) throw invalid('positions is required');
  if (value.length === 0 && service.readings.emptyPositions === 'refused') {
    throw invalid('positions is required');
  }
  return value.map((item) => readPosition(service, item));
}

function readPosition(service: Service, item: WireValue): PositionDraft {
  if (!isObject(item)) throw invalid('a position is no object');
  const fields = readFields(item, POSITION_FIELDS);
  return {
    orgId: nodeOf(service, item).id,
    jobTitle: text(fields.get('job_title')),
    primary: fields.get('primary') === true,
    chief: fields.get('chief') === true,
    sourceType: text(fields.get('source_type')),
  };
}

function text(value: WireValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function nodeOf(service: Service, item: WireObject): OrganizationRecord {
  const { organizations } = service.world;
  const id = identifier(item['org_id']);
  const path = text(item['org_path']) ?? '';
  if (id === undefined && path === '') throw invalid('org_id and org_path are both empty');
  const node = id === undefined ? organizations.byPath(path) : organizations.get(id);
  if (node === undefined) throw invalid(`organization ${id ?? path} of a position does not exist`);
  return node;
}
