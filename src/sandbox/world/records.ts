import type { JsonObject } from '../../interface/json.ts';

/** An organization node as the sandbox keeps it; what it answers is derived (interface: Organization node). */
export interface OrganizationRecord {
  readonly id: string;
  /** Id of the parent; absent only on the root. */
  readonly parentId?: string | undefined;
  readonly type: string;
  readonly name: string;
  readonly uuid: string;
  readonly enName?: string | undefined;
  readonly twName?: string | undefined;
  readonly logo?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly owner?: string | undefined;
  readonly ownerName?: string | undefined;
  readonly tel?: string | undefined;
  readonly contact?: string | undefined;
  readonly sn?: string | undefined;
  readonly serialNo?: string | undefined;
  readonly sortOrder?: number | undefined;
  readonly created: number;
  /** Time in milliseconds that refresh_time is compared with. */
  readonly refreshed: number;
}

export interface PositionRecord {
  readonly id: string;
  readonly orgId: string;
  readonly jobTitle?: string | undefined;
  readonly primary: boolean;
  readonly chief: boolean;
  readonly sourceType?: string | undefined;
}

export interface EmployeeRecord {
  readonly id: string;
  readonly userId: string;
  /** Username as it was spelled when the user was created. */
  readonly username: string;
  readonly name: string;
  readonly locked: boolean;
  readonly positions: readonly PositionRecord[];
  /** Other fields of the interface's employee body, under their own names. */
  readonly profile: JsonObject;
  readonly created: number;
  readonly refreshed: number;
}

/** An account of the domain. It is created with the first employee of its username and can outlive it. */
export interface UserRecord {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly gender?: string | undefined;
  readonly birthday?: number | undefined;
  readonly idCard?: string | undefined;
  /** SHA-256 of the password, so that a test can see whether one was taken and none is stored on disk. */
  readonly passwordDigest?: string | undefined;
  readonly disabled: boolean;
  readonly created: number;
  readonly refreshed: number;
}

/** A media as the sandbox keeps it (interface: Media info). */
export interface MediaRecord {
  readonly id: string;
  readonly name: string;
  /** MD5 of the bytes, in lower-case hex. */
  readonly digest: string;
  readonly bytes: Buffer;
  /** Content-Type when read. */
  readonly type: string;
  readonly metadata: JsonObject;
  readonly refreshed: number;
}

/** A template as the sandbox keeps it (interface: Template). */
export interface TemplateRecord {
  readonly id: string;
  readonly appId: string;
  /** title, tags, sample, actions, contents. */
  readonly fields: JsonObject;
  readonly created: number;
  readonly refreshed: number;
}

/** A message that was pushed, and what the push answered (interface: Message push). */
export interface PushRecord {
  readonly id: string;
  /** In lower case. */
  readonly type: string;
  readonly body: JsonObject;
  /** What people would read of it, with the variables of a template filled in. */
  readonly shown: string;
  readonly platforms: readonly string[];
  /** User ids that it went to. */
  readonly recipients: readonly string[];
  readonly answer: JsonObject;
  readonly refreshed: number;
}

/** A schedule as the sandbox keeps it (interface: Schedule). */
export interface ScheduleRecord {
  readonly id: string;
  readonly scheduleId: string;
  /** The application that made it: no other one may change it. */
  readonly applicationId: string;
  /** Fields of the body of create, under their own names. */
  readonly fields: JsonObject;
  /** Days that are left out, yyyyMMdd. */
  readonly excludes: readonly { readonly begin_date: number; readonly end_date: number }[];
  readonly created: number;
  readonly refreshed: number;
}
