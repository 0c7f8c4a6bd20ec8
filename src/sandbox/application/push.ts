import { MESSAGE_TYPES, type MessageType } from '../../interface/operations/push.ts';
import { LIMITS } from '../../interface/terms/limits.ts';
import { requiredField, requiredObject } from '../operation/body-fields.ts';
import { invalid, noEmployee } from '../operation/refused.ts';
import type { Operation, Service } from '../operation/service.ts';
import { requireMessageBody } from '../operation/strict.ts';
import { isList, isObject, type WireObject } from '../wire/wire-value.ts';
import { writeWire } from '../wire/write-wire.ts';
import type { TemplateRecord } from '../world/records.ts';
import { audienceOf, textsOf, type Audience } from './push-audience.ts';
import { shownMessage } from './shown-message.ts';
import { templateById } from './templates.ts';

/** Fields that stand in the body, or beside it where the reading `topFields` says so. */
const TOP_FIELDS = ['top_color', 'top_avatar', 'top_title'] as const;
/** Fields of a request of the template-only form (interface: Message push). */
const TEMPLATE_FORM: ReadonlySet<string> = new Set([
  'type',
  'body',
  'client_ids',
  'scopes',
  'platforms',
  ...TOP_FIELDS,
]);
/** "default IOS and ANDROID" (interface: Message push). */
const PLATFORMS = ['IOS', 'ANDROID'] as const;

/** Pushes a message, and keeps it (interface: Message push). Nobody gets anything. */
export const pushMessage: Operation = (service, { query, body }) => {
  const message = requiredObject(body);
  const type = typeOf(service, requiredField(message, 'type'));
  const content = contentOf(service, type, message);
  requireButtons(message);
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

/** Returns the body of a message with the top fields in it, wherever they have to stand. */
function contentOf({ readings, strict }: Service, type: MessageType, message: WireObject): WireObject {
  const content = requiredObject(message['body']);
  if (strict) requireMessageBody(type, content);
  if (readings.topFields === 'body') return content;
  const misplaced = TOP_FIELDS.find((name) => content[name] !== undefined);
  if (misplaced !== undefined) throw invalid(`${misplaced} has to stand beside body, not in it`);
  const given = TOP_FIELDS.filter((name) => message[name] !== undefined);
  return { ...content, ...Object.fromEntries(given.map((name) => [name, message[name]])) };
}

function typeOf({ readings }: Service, type: string): MessageType {
  const lower = type.toLowerCase();
  const spelled = { either: type, lower, upper: type.toUpperCase() }[readings.pushTypes];
  const known = MESSAGE_TYPES.find((one) => one === lower);
  if (known === undefined || type !== spelled) throw invalid(`type ${type} is none of the message types`);
  return known;
}

function requireButtons({ actions }: WireObject): void {
  if (!isList(actions)) return;
  const { buttonRows, buttonsPerRow } = LIMITS;
  if (actions.length > buttonRows) throw invalid(`actions has more than ${buttonRows} rows`);
  for (const row of actions) {
    if (isList(row) && row.length > buttonsPerRow)
      throw invalid(`a row of actions has more than ${buttonsPerRow} buttons`);
  }
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

/** "Two shapes of the answer on one path": by the form of the request, or as the reading says. */
function answerOf(service: Service, pushed: Pushed): WireObject {
  const { pushShape } = service.readings;
  const isTemplateForm =
    pushed.type === 'template' && Object.keys(pushed.message).every((name) => TEMPLATE_FORM.has(name));
  const plan = pushShape === 'byForm' ? isTemplateForm : pushShape === 'plan';
  return plan ? planOf(service, pushed) : resultOf(service, pushed);
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
