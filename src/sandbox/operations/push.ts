import { MESSAGE_TYPES, type MessageType } from '../../interface/operations/push.ts';
import { LIMITS } from '../../interface/operation.ts';
import { templateById } from './templates.ts';
import { invalid, noEmployee, type Operation, type Service } from './operation.ts';
import { flagIn, requiredField, requiredObject } from './request-parts.ts';
import { requireMessageBody } from './strict.ts';
import type { TemplateRecord, UserRecord } from '../world/records.ts';
import { isList, isObject, writeWire, type WireObject, type WireValue } from '../world/wire-value.ts';

/** Fields of a request of the template-only form (interface: Message push). */
const TEMPLATE_FORM: ReadonlySet<string> = new Set(['type', 'body', 'client_ids', 'scopes', 'platforms']);
/** "default IOS and ANDROID" (interface: Message push). */
const PLATFORMS = ['IOS', 'ANDROID'] as const;

/** Records a pushed message (interface: Message push). It is delivered to no one. */
export const pushMessage: Operation = (service, { query, body }) => {
  const message = requiredObject(body);
  const type = typeOf(service, requiredField(message, 'type'));
  const content = requiredObject(message['body']);
  requireMessageBody(type, content, service.lenient);
  if (type === 'video') requireCover(content);
  const template = type === 'template' ? templateById(service, content['template_id']) : undefined;
  if (template !== undefined) requireVariables(template, content);
  const audience = audienceOf(service, query, message);
  if (audience.users.length === 0) throw noEmployee();
  const id = service.ids.take();
  const answer = answerOf(service, { id, type, message, content, audience });
  const push = service.world.pushes.put({
    id,
    type,
    body: content,
    shown: shownMessage({ type, body: content, template }),
    platforms: textsOf(message['platforms'] ?? PLATFORMS),
    recipients: audience.users.map((user) => user.id),
    answer,
    refreshed: service.now(),
  });
  service.pushed(push);
  return answer;
};

function typeOf({ readings }: Service, type: string): MessageType {
  const lower = type.toLowerCase();
  const spelled = { either: type, lower, upper: type.toUpperCase() }[readings.pushTypes];
  const matched = MESSAGE_TYPES.find((one) => one === lower);
  if (matched === undefined || type !== spelled) throw invalid(`type ${type} is none of the message types`);
  return matched;
}

function requireCover({ content }: WireObject): void {
  if (typeof content !== 'string' || Buffer.from(content, 'base64').length <= LIMITS.coverBytes) return;
  throw invalid(`the cover is larger than ${LIMITS.coverBytes} bytes`);
}

/** Variables of a template: `{{<var_name>.DATA}}` (interface: Template, contents). */
const VARIABLE = /\{\{(\w+)\.DATA\}\}/gu;

function requireVariables({ id, fields }: TemplateRecord, { data }: WireObject): void {
  const known = new Set(
    Array.from(writeWire(fields['contents'] ?? []).matchAll(VARIABLE), ([, name]) => name),
  );
  for (const one of isList(data) ? data : []) {
    const key = isObject(one) ? one['key'] : undefined;
    if (typeof key === 'string' && !known.has(key)) throw invalid(`template ${id} has no {{${key}.DATA}}`);
  }
}

interface Pushed {
  readonly id: string;
  readonly type: string;
  readonly message: WireObject;
  readonly content: WireObject;
  readonly audience: Audience;
}

/** "Two shapes of the answer on one path": by the form of the request. */
function answerOf(service: Service, pushed: Pushed): WireObject {
  const isTemplateForm =
    pushed.type === 'template' && Object.keys(pushed.message).every((name) => TEMPLATE_FORM.has(name));
  return isTemplateForm ? planOf(service, pushed) : resultOf(service, pushed);
}

function planOf(
  { domainId, orgCode, applicationId, now }: Service,
  { id, content, message, audience }: Pushed,
): WireObject {
  const oks = audience.users.length;
  const fails = audience.excludeIds.length + audience.excludeUsernames.length;
  return {
    id,
    material_id: isObject(content) ? (content['template_id'] ?? id) : id,
    app_id: applicationId,
    expects: oks + fails,
    fails,
    oks,
    scopes: message['scopes'] ?? [],
    client_ids: audience.users.map((user) => user.id),
    domain_id: domainId,
    org_id: orgCode,
    create_time: now(),
    refresh_time: now(),
    expect_time: now(),
  };
}

function resultOf({ domainId, orgCode, applicationId, now }: Service, { id, audience }: Pushed): WireObject {
  return {
    id,
    plan_id: id,
    app_id: applicationId,
    plan_time: now(),
    recipients: audience.users.map((user) => user.id),
    include_usernames: audience.includeUsernames,
    exclude_usernames: audience.excludeUsernames,
    include_client_ids: audience.includeIds,
    exclude_client_ids: audience.excludeIds,
    conversation_id: id,
    org_id: orgCode,
    domain_id: domainId,
    create_time: now(),
  };
}

/** Whom a message reaches, and who of those that were named is not there. */
interface Audience {
  readonly users: readonly UserRecord[];
  readonly includeUsernames: readonly string[];
  readonly excludeUsernames: readonly string[];
  readonly includeIds: readonly string[];
  readonly excludeIds: readonly string[];
}

/** Returns the audience of a push (interface: Message push, query and body); throws Refused. */
function audienceOf(service: Service, query: URLSearchParams, body: WireObject): Audience {
  const ids = textsOf(body['client_ids']);
  const names = textsOf(body['usernames']);
  const scopes = textsOf(body['scopes']);
  const hasNone = ids.length + names.length + scopes.length === 0;
  if (flagIn(query, 'direct')) requireDirect(new Set([...ids, ...names]).size, scopes);
  if (hasNone && !flagIn(query, 'for_all'))
    throw invalid('the message has no recipients, and for_all is not true');
  const { users } = service.world;
  const byId = ids.map((id) => users.get(id)).filter((user) => user !== undefined);
  const byName = names.map((name) => users.byUsername(name)).filter((user) => user !== undefined);
  const inScope = hasNone
    ? usersBelow(service, service.world.organizations.root.id)
    : scopes.flatMap((path) => usersAt(service, path));
  return {
    users: [...new Set([...byId, ...byName, ...inScope])],
    includeUsernames: names.filter((name) => users.byUsername(name) !== undefined),
    excludeUsernames: names.filter((name) => users.byUsername(name) === undefined),
    includeIds: ids.filter((id) => users.get(id) !== undefined),
    excludeIds: ids.filter((id) => users.get(id) === undefined),
  };
}

function requireDirect(people: number, scopes: readonly string[]): void {
  if (scopes.length > 0) throw invalid('direct does not support scopes');
  const { directPeople } = LIMITS;
  if (people > directPeople) throw invalid(`direct reaches at most ${directPeople} people, not ${people}`);
}

function usersAt(service: Service, path: string): readonly UserRecord[] {
  const node = service.world.organizations.byPath(path);
  return node === undefined ? [] : usersBelow(service, node.id);
}

function usersBelow({ world }: Service, id: string): readonly UserRecord[] {
  const ids = world.organizations
    .subtree(id)
    .flatMap((node) => [...world.employees.everyone.members(node.id)]);
  return ids.flatMap((employeeId) => {
    const employee = world.employees.get(employeeId);
    const user = employee === undefined || employee.locked ? undefined : world.users.get(employee.userId);
    return user === undefined ? [] : [user];
  });
}

/** Returns the texts of a list; others are passed over. */
function textsOf(list: WireValue | undefined): readonly string[] {
  return isList(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** A message of a type in lower case; the template belongs to one of type `template`. */
interface ToShow {
  readonly type: string;
  readonly body: WireObject;
  readonly template?: TemplateRecord | undefined;
}

/** Returns what people would read of a message, one line for each row; "" where there is nothing to read. */
function shownMessage({ type, body, template }: ToShow): string {
  if (type === 'text') return textOf(body['content']);
  if (type === 'article')
    return objectsIn(body['articles'])
      .map(({ title }) => textOf(title))
      .join('\n');
  if (template === undefined) return textOf(body['name']);
  return lines([textOf(body['top_title']), textOf(template.fields['title']), ...filled(template, body)]);
}

/** Fills in "variables of the form {{<var_name>.DATA}}" (interface: Template); one without a value is empty. */
function filled({ fields }: TemplateRecord, body: WireObject): readonly string[] {
  const values = new Map(objectsIn(body['data']).map(({ key, value }) => [textOf(key), textOf(value)]));
  const rows = isList(fields['contents']) ? fields['contents'] : [];
  return rows.map((row) =>
    objectsIn(row)
      .map(({ content }) =>
        textOf(content).replaceAll(/\{\{([^{}]+)\.DATA\}\}/gu, (_, name: string) => values.get(name) ?? ''),
      )
      .join(' '),
  );
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

function objectsIn(list: WireValue | undefined): readonly WireObject[] {
  return isList(list) ? list.filter(isObject) : [];
}

function textOf(value: WireValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
