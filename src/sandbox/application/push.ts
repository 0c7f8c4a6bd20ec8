import { requiredField, requiredObject } from '../operation/body-fields.ts';
import { invalid, noEmployee } from '../operation/refused.ts';
import type { Operation, Service } from '../operation/service.ts';
import { isList, isObject, type WireObject } from '../wire/wire-value.ts';
import { writeWire } from '../wire/write-wire.ts';
import type { TemplateRecord } from '../world/records.ts';
import { audienceOf, type Audience } from './push-audience.ts';
import { templateById } from './templates.ts';

const TYPES: ReadonlySet<string> = new Set([
  'text',
  'image',
  'file',
  'video',
  'article',
  'template',
  'rich_text',
]);
/** Interface: Limits. */
const MOST_BUTTONS = 5;
const MOST_COVER_BYTES = 20 * 1024;

/** Fields of a body of the template-only form (interface: Message push). */
const TEMPLATE_FORM: ReadonlySet<string> = new Set(['type', 'body', 'client_ids', 'scopes', 'platforms']);

/** Pushes a message, and keeps it (interface: Message push). Nobody gets anything. */
export const pushMessage: Operation = (service, { query, body }) => {
  const message = requiredObject(body);
  const type = typeOf(service, requiredField(message, 'type'));
  const content = requiredObject(message['body']);
  requireButtons(message);
  if (type === 'video') requireCover(content);
  if (type === 'template') requireVariables(templateById(service, content['template_id']), content);
  const audience = audienceOf(service, query, message);
  if (audience.users.length === 0) throw noEmployee();
  const id = service.ids.take();
  const answer = answerOf(service, { id, type, message, content, audience });
  const recipients = audience.users.map((user) => user.id);
  service.world.pushes.put({ id, type, body: content, recipients, answer, refreshed: service.now() });
  return answer;
};

function typeOf({ readings }: Service, type: string): string {
  const lower = type.toLowerCase();
  const spelled = { either: type, lower, upper: type.toUpperCase() }[readings.pushTypes];
  if (!TYPES.has(lower) || type !== spelled) throw invalid(`type ${type} is none of the message types`);
  return lower;
}

function requireButtons({ actions }: WireObject): void {
  if (!isList(actions)) return;
  if (actions.length > MOST_BUTTONS) throw invalid(`actions has more than ${MOST_BUTTONS} rows`);
  for (const row of actions) {
    if (isList(row) && row.length > MOST_BUTTONS)
      throw invalid(`a row of actions has more than ${MOST_BUTTONS} buttons`);
  }
}

function requireCover({ content }: WireObject): void {
  if (typeof content !== 'string' || Buffer.from(content, 'base64').length <= MOST_COVER_BYTES) return;
  throw invalid(`the cover is larger than ${MOST_COVER_BYTES} bytes`);
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

/** "Two shapes of the answer on one path": by the form of the request, or as the reading says. */
function answerOf(service: Service, pushed: Pushed): WireObject {
  const { pushShape } = service.readings;
  const isTemplateForm =
    pushed.type === 'template' && Object.keys(pushed.message).every((name) => TEMPLATE_FORM.has(name));
  const plan = pushShape === 'byForm' ? isTemplateForm : pushShape === 'plan';
  return plan ? planOf(service, pushed) : resultOf(service, pushed);
}

function planOf({ domainId, orgCode, now }: Service, { id, content, message, audience }: Pushed): WireObject {
  const count = audience.users.length;
  return {
    id,
    material_id: isObject(content) ? (content['template_id'] ?? id) : id,
    app_id: 'sandbox',
    expects: count,
    fails: 0,
    oks: count,
    scopes: message['scopes'] ?? [],
    client_ids: audience.users.map((user) => user.id),
    domain_id: domainId,
    org_id: orgCode,
    create_time: now(),
    refresh_time: now(),
    expect_time: now(),
  };
}

function resultOf({ domainId, orgCode, now }: Service, { id, audience }: Pushed): WireObject {
  return {
    id,
    plan_id: id,
    app_id: 'sandbox',
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
