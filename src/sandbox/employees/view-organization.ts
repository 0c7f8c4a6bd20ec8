import { organizationShape, viewAdditions } from '../organizations/organization-shape.ts';
import { startNode } from '../organizations/organization-reads.ts';
import { capped, flag, wholeNumber } from '../operation/query.ts';
import type { Operation, Request, Service } from '../operation/service.ts';
import type { WireValue } from '../wire/wire-value.ts';
import type { OrganizationRecord } from '../world/records.ts';
import { employeeListShape } from './employee-list-shape.ts';

/** Answers with a list of one node, since the document says list and names one start. */
export const viewOrganization: Operation = (service, request) => {
  const node = startNode(service, request);
  const { all_employee_count: total, ...shape } = organizationShape(service, node);
  const counting = flag(request.query, 'counting', true) ? { all_employee_count: total } : {};
  const children = service.world.organizations.childrenOf(node.id);
  return [
    {
      ...shape,
      ...counting,
      ...viewAdditions(service, node),
      employees: slice(service, request, 'employee', memberShapes(service, node)),
      children: slice(
        service,
        request,
        'org',
        children.map((child) => organizationShape(service, child)),
      ),
    },
  ];
};

function memberShapes(service: Service, node: OrganizationRecord): readonly WireValue[] {
  const { employees } = service.world;
  const members = [...employees.everyone.members(node.id)].map((id) => employees.get(id));
  const listed = members.filter((employee) => employee !== undefined);
  const shown = listed.filter((employee) => !(employee.locked && service.readings.hidesLocked));
  return shown.map((employee) => employeeListShape(service, employee));
}

/**
 * Returns a slice of a list. No default is documented for the limits of `view`: without a limit all is shown.
 */
function slice(
  service: Service,
  { query }: Request,
  prefix: 'employee' | 'org',
  values: readonly WireValue[],
): readonly WireValue[] {
  const skip = wholeNumber(query, `${prefix}_skip`, 0);
  const limit = wholeNumber(query, `${prefix}_limit`, values.length);
  return values.slice(skip, skip + capped(limit, service.readings.pageCap));
}
