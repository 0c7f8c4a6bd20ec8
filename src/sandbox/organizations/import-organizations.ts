import { identifier, requiredList, requiredObject } from '../operation/body-fields.ts';
import { importItems, type Taken } from '../operation/import-outcome.ts';
import { addOrganization } from './organization-writes.ts';
import { requireItem } from '../operation/strict.ts';
import { wrongPlace } from '../operation/refused.ts';
import type { Operation, Service } from '../operation/service.ts';
import { isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';

/**
 * Imports nodes (interface: Import nodes). Outcomes are keyed by organization path; whether that is a path of
 * names or of ids is left open (reading `pathKeys`). Parents have to come before children, because items are
 * taken in order.
 */
export const importOrganizations: Operation = (service, request) => {
  if (!service.readings.importOrgs) throw wrongPlace('nodes cannot be imported here');
  return importItems(service, requiredList(request.body), {
    keyOf: (item, index) => failureKey(service, item, index),
    take: (item) => {
      const body = requiredObject(item);
      if (service.strict) requireItem('importOrganizations', item);
      return takeOne(service, body);
    },
  });
};

function takeOne(service: Service, body: WireObject): Taken {
  const { organizations } = service.world;
  const { id } = addOrganization(service, body);
  const names = service.readings.pathKeys === 'names';
  return { key: names ? organizations.namePath(id) : organizations.idPath(id), value: id };
}

/**
 * Returns the key of a refused node. It has no id, so its path is that of the parent, as far as known, and
 * the name.
 */
function failureKey(service: Service, item: WireValue, index: number): string {
  if (!isObject(item)) return `[${index}]`;
  const { organizations } = service.world;
  const path = typeof item['parent_path'] === 'string' ? item['parent_path'] : '';
  const id = identifier(item['parent_id']);
  const parent = id === undefined ? organizations.byPath(path) : organizations.get(id);
  const name = typeof item['name'] === 'string' ? item['name'] : `[${index}]`;
  const names = service.readings.pathKeys === 'names';
  const known = parent && (names ? organizations.namePath(parent.id) : organizations.idPath(parent.id));
  const above = (known ?? id ?? path).split('/').filter((part) => part !== '');
  return `/${[...above, name].join('/')}`;
}
