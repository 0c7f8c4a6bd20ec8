import type {
  EmployeeRecord,
  MediaRecord,
  OrganizationRecord,
  PushRecord,
  ScheduleRecord,
  TemplateRecord,
  UserRecord,
} from './world/records.ts';
import type { World } from './world/world.ts';

/** What the service knows, as records. */
export interface SandboxState {
  readonly organizations: () => readonly OrganizationRecord[];
  readonly employees: () => readonly EmployeeRecord[];
  readonly users: () => readonly UserRecord[];
  readonly medias: () => readonly MediaRecord[];
  readonly templates: () => readonly TemplateRecord[];
  readonly pushes: () => readonly PushRecord[];
  readonly schedules: () => readonly ScheduleRecord[];
  readonly organization: (id: string) => OrganizationRecord | undefined;
  readonly organizationBySerial: (serialNo: string) => OrganizationRecord | undefined;
  /** Finds a node by a path of names (`/Root/Dept`) or of ids. */
  readonly organizationByPath: (path: string) => OrganizationRecord | undefined;
  /** Finds an employee by username in any case. */
  readonly employee: (username: string) => EmployeeRecord | undefined;
  readonly user: (username: string) => UserRecord | undefined;
  readonly userById: (id: string) => UserRecord | undefined;
  readonly idPath: (organizationId: string) => string;
  readonly namePath: (organizationId: string) => string;
}

export function createState(world: World): SandboxState {
  const { organizations, employees, users, medias } = world;
  return {
    organizations: () => Array.from(organizations.all()),
    employees: () => Array.from(employees.all()),
    users: () => Array.from(users.all()),
    medias: () => Array.from(medias.all()),
    templates: () => Array.from(world.templates.all()),
    pushes: () => Array.from(world.pushes.all()),
    schedules: () => Array.from(world.schedules.all()),
    organization: (id) => organizations.get(id),
    organizationBySerial: (serialNo) => organizations.bySerial(serialNo),
    organizationByPath: (path) => organizations.byPath(path),
    employee: (username) => employees.byUsername(username),
    user: (username) => users.byUsername(username),
    userById: (id) => users.get(id),
    idPath: (id) => organizations.idPath(id),
    namePath: (id) => organizations.namePath(id),
  };
}
