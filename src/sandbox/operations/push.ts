import type { MembersOf } from '../../interface/field.ts';
import { isList, isObject, writeJson, type Json, type JsonObject } from '../../interface/json.ts';
import {
  MESSAGE_TYPES,
  type MESSAGE_BODIES,
  type MessageType,
  type PUSH,
} from '../../interface/operations/push.ts';
import { PUSH_RESULT, TEMPLATE_PUSH_PLAN } from '../../interface/operations/templates.ts';
import { asRow, invalid, Refused, wireOf, type Request, type Service, type Work } from './operation.ts';
import { templateById } from './templates.ts';
import type { TemplateRecord, UserRecord } from '../world/records.ts';

type Push = Request<'pushMessage'>;
type Bodies = typeof MESSAGE_BODIES;
type Templated = MembersOf<Bodies['template']>;

/** Fields of a request of the template-only form (interface: Message push). */
const TEMPLATE_FORM: ReadonlySet<string> = new Set(['type', 'body', 'client_ids', 'scopes', 'platforms']);

/** Interface: Message push. A message is recorded; it is delivered to no one. */
export const pushWork: Work<keyof typeof PUSH> = {
  pushMessage: (service, request) => {
    const { body: message } = request;
    const type = typeOf(service, message.type);
    const content = message.body;
    if (!isObject(content)) throw invalid('body is no JSON object');
    const template = type === 'template' ? templateOf(service, content as Templated) : undefined;
    const audience = audienceOf(service, request);
    if (audience.users.length === 0) throw new Refused('noEmployee');
    const id = service.newId();
    const isPlan = template !== undefined && Object.keys(message).every((name) => TEMPLATE_FORM.has(name));
    const results = { ...resultsOf(service, id, audience), material_id: template?.id };
    const recipients = audience.users.map((user) => user.id);
    const answer = isPlan
      ? asRow({ ...results, scopes: message.scopes ?? [], client_ids: recipients }, TEMPLATE_PUSH_PLAN)
      : asRow(results, PUSH_RESULT);
    const push = service.world.pushes.put({
      id,
      type,
      body: content,
      shown: shownMessage(type, content, template),
      platforms: message.platforms ?? ['IOS', 'ANDROID'],
      recipients,
      answer,
      refreshed: service.now(),
    });
    service.pushed(push);
    return push.answer;
  },
};

function typeOf({ readings }: Service, type: string): MessageType {
  const lower = type.toLowerCase();
  const spelled = { either: type, lower, upper: type.toUpperCase() }[readings.pushTypes];
  const matched = MESSAGE_TYPES.find((one) => one === lower);
  if (matched === undefined || type !== spelled) throw invalid(`type ${type} is none of the message types`);
  return matched;
}

/** Variables of a template: `{{<var_name>.DATA}}` (interface: Template, contents). */
const VARIABLE = /\{\{([^{}]+)\.DATA\}\}/gu;

/** Returns the template of a message. Throws Refused where the message has values for what it does not have. */
function templateOf(service: Service, { template_id: id, data }: Templated): TemplateRecord {
  const template = templateById(service, id);
  const contents = writeJson(template.fields['contents'] ?? []);
  const known = new Set(Array.from(contents.matchAll(VARIABLE), ([, name]) => name));
  const unknown = data?.map(({ key }) => textOf(key)).find((key) => !known.has(key));
  if (unknown !== undefined) throw invalid(`template ${id} has no {{${unknown}.DATA}}`);
  return template;
}

/** "Two shapes of the answer on one path": values of both. */
function resultsOf(service: Service, id: string, { users, ...named }: Audience): JsonObject {
  const oks = users.length;
  const fails = named.exclude_client_ids.length + named.exclude_usernames.length;
  const time = service.now();
  const times = { plan_time: time, create_time: time, refresh_time: time, expect_time: time };
  const ids = { id, plan_id: id, conversation_id: id, org_id: service.orgCode };
  const recipients = users.map((user) => user.id);
  return {
    ...wireOf(service, ids),
    app_id: service.applicationId,
    ...times,
    oks,
    fails,
    expects: oks + fails,
    recipients,
    ...named,
  };
}

/** Whom a message reaches, and who of those that were named is there or not. */
interface Audience {
  readonly users: readonly UserRecord[];
  readonly include_usernames: readonly string[];
  readonly exclude_usernames: readonly string[];
  readonly include_client_ids: readonly string[];
  readonly exclude_client_ids: readonly string[];
}

/** Returns the audience of a push (interface: Message push, query and body); throws Refused. */
function audienceOf({ world }: Service, { body }: Push): Audience {
  const { users, employees, organizations } = world;
  const [ids, names, scopes] = [body.client_ids ?? [], body.usernames ?? [], body.scopes ?? []];
  const hasNone = ids.length + names.length + scopes.length === 0;
  const nodes = hasNone ? [organizations.root] : scopes.map((path) => organizations.byPath(path));
  const inScope = nodes.flatMap((node) => employees.below(node?.id ?? '')).filter(({ locked }) => !locked);
  const userIds = [...ids, ...names.map((name) => users.byUsername(name)?.id ?? '')];
  const isThere = (name: string): boolean => users.byUsername(name) !== undefined;
  return {
    users: [...new Set(users.allOf([...userIds, ...inScope.map(({ userId }) => userId)]))],
    include_usernames: names.filter((name) => isThere(name)),
    exclude_usernames: names.filter((name) => !isThere(name)),
    include_client_ids: ids.filter((id) => users.get(id) !== undefined),
    exclude_client_ids: ids.filter((id) => users.get(id) === undefined),
  };
}

/** Returns what people would read of a message, one line for each row; "" where there is nothing to read. */
function shownMessage(type: MessageType, body: JsonObject, template: TemplateRecord | undefined): string {
  if (type === 'text') return textOf(body['content']);
  if (type === 'article')
    return (body as MembersOf<Bodies['article']>).articles.map(({ title }) => textOf(title)).join('\n');
  if (template === undefined) return textOf(body['name']);
  const { data, top_title: title } = body as Templated;
  const values = new Map((data ?? []).map(({ key, value }) => [key, textOf(value)]));
  const rows = template.fields['contents'];
  // A variable without a value is empty.
  const fill = (text: string): string =>
    text.replaceAll(VARIABLE, (_, name: string) => values.get(name) ?? '');
  const filled = listsIn(rows).map((row) => row.map(({ content }) => fill(textOf(content))).join(' '));
  return [title, template.fields['title'], ...filled]
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listsIn(rows: Json | undefined): readonly (readonly JsonObject[])[] {
  return (isList(rows) ? rows : []).map((row) => (isList(row) ? row.filter(isObject) : []));
}
