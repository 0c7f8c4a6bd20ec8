import { initials, pinyin } from '../operation/pinyin.ts';
import { shownProfile, unsetText } from './shown-profile.ts';
import type { EmployeeRecord, PositionRecord } from '../world/records.ts';
import type { Service } from '../operation/service.ts';
import type { WireObject } from '../wire/wire-value.ts';

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
