import { dataSchemas, shownProfile, tagsOf, unsetText } from './shown-profile.ts';
import type { Service } from './operation.ts';
import { level, nodeReference } from './organization-reads.ts';
import { initials, pinyin } from './request-parts.ts';
import type { EmployeeRecord, PositionRecord } from '../world/records.ts';
import type { WireObject } from '../world/wire-value.ts';

/** Returns an employee as lists show it (interface: Employee (list / view record)). */
export function employeeListShape(service: Service, employee: EmployeeRecord): WireObject {
  const { rank, ...profile } = shownProfile(service, employee);
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
    ...profile,
    employee_rank: rank,
    tag_names: tagsOf(employee).names,
    avatar: '',
    status: 'ACTIVATED',
    locked: employee.locked,
    positions: employee.positions.map((position) => listedPosition(service, employee, position)),
    data_schemas: dataSchemas(service, employee),
    created: employee.created,
    last_modified: employee.refreshed,
    root_org_info: nodeReference(service, service.world.organizations.root),
    platforms: [],
  };
}

/**
 * Returns a position. org_id is a Long in the interface, so it is a JSON number; the other ids are Strings.
 */
function listedPosition(service: Service, employee: EmployeeRecord, position: PositionRecord): WireObject {
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

/**
 * Returns one employee (interface: Employee (result of create, get one, modify)). It shows less than the list
 * record, and in another form.
 */
export function employeeResultShape(service: Service, employee: EmployeeRecord): WireObject {
  const profile = shownProfile(service, employee);
  return {
    employee_id: identity(service, employee.id),
    name: employee.name,
    pinyin: pinyin(employee.name),
    initial: initials(employee.name),
    sn: profile.sn,
    email: profile.email,
    sort_order: profile.sort_order,
    senior: profile.senior,
    user: linkedUser(service, employee),
    // "content: not shown".
    extension_profiles: {},
    positions: employee.positions.map((position) => positionShape(service, employee, position)),
    properties: profile.properties,
    rank: profile.rank,
    tags: profile.tags,
    disabled: employee.locked,
    deleted: false,
    create_time: employee.created,
    modify_time: employee.refreshed,
  };
}

function linkedUser(service: Service, employee: EmployeeRecord): WireObject {
  const user = service.world.users.get(employee.userId);
  return {
    id: employee.userId,
    username: employee.username,
    name: user?.name,
    id_card: user?.idCard,
    gender: user?.gender,
    status: 'confirmed',
  };
}

/** Returns a position. org_id is a Long in the interface, so it is a JSON number. */
function positionShape(service: Service, employee: EmployeeRecord, position: PositionRecord): WireObject {
  const { organizations } = service.world;
  return {
    position_id: identity(service, position.id),
    employee_id: employee.id,
    org_id: BigInt(position.orgId),
    path: organizations.idPath(position.orgId),
    type: organizations.get(position.orgId)?.type,
    job_title: position.jobTitle ?? unsetText(service),
    primary: position.primary,
    chief: position.chief,
  };
}

function identity(service: Service, id: string): WireObject {
  return { domain_id: service.domainId, code: service.orgCode, id };
}
