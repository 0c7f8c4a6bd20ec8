import { tagsOf } from './employee-tags.ts';
import { dataSchemas, shownProfile, unsetText } from './shown-profile.ts';
import { level, nodeReference } from '../organizations/organization-shape.ts';
import { initials, pinyin } from '../operation/pinyin.ts';
import type { EmployeeRecord, PositionRecord } from '../world/records.ts';
import type { Service } from '../operation/service.ts';
import type { WireObject } from '../wire/wire-value.ts';

/** Returns an employee as lists show it (interface: Employee (list / view record)). */
export function employeeListShape(service: Service, employee: EmployeeRecord): WireObject {
  return {
    ...identity(service, employee),
    ...profileFields(service, employee),
    avatar: '',
    status: 'ACTIVATED',
    locked: employee.locked,
    positions: employee.positions.map((position) => positionShape(service, employee, position)),
    data_schemas: dataSchemas(service, employee),
    created: employee.created,
    last_modified: employee.refreshed,
    root_org_info: nodeReference(service, service.world.organizations.root),
    platforms: [],
  };
}

function identity(service: Service, employee: EmployeeRecord): WireObject {
  return {
    id: employee.id,
    type: 'EMPLOYEE',
    domain_id: service.domainId,
    org_code: service.orgCode,
    display_name: employee.name,
    name: employee.name,
    pinyin: pinyin(employee.name),
    initial: initials(employee.name),
    user_id: employee.userId,
    username: employee.username,
    nickname: employee.name,
  };
}

function profileFields(service: Service, employee: EmployeeRecord): WireObject {
  const { rank, ...shown } = shownProfile(service, employee);
  return { ...shown, employee_rank: rank, tag_names: tagsOf(employee).names };
}

/**
 * Returns a position. org_id is a Long in the interface, so it is a JSON number; the other ids are Strings.
 */
function positionShape(service: Service, employee: EmployeeRecord, position: PositionRecord): WireObject {
  const { organizations } = service.world;
  const node = organizations.get(position.orgId);
  return {
    id: position.id,
    domain_id: service.domainId,
    code: service.orgCode,
    employee_id: employee.id,
    org_id: BigInt(position.orgId),
    path: organizations.idPath(position.orgId),
    type: node?.type,
    job_title: position.jobTitle ?? unsetText(service),
    level: node && level(service, node),
    primary: position.primary,
    chief: position.chief,
    display_nodes: organizations
      .lineage(position.orgId)
      .toReversed()
      .map((shown) => nodeReference(service, shown)),
    full_name_path: organizations.namePath(position.orgId),
    org_name: node?.name,
  };
}
