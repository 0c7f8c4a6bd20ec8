import { noMatching, type Operation, type Service } from './operation.ts';
import { identifier, page, requiredObject } from './request-parts.ts';
import type { TemplateRecord } from '../world/records.ts';
import type { WireObject, WireValue } from '../world/wire-value.ts';

/* Interface: Message templates. */

const FIELDS = ['title', 'tags', 'sample', 'actions', 'contents'] as const;

export const listTemplates: Operation = (service, { query }) => {
  const search = (query.get('kw') ?? '').toLowerCase();
  const all = Array.from(service.world.templates.all()).filter(
    ({ fields }) => has(fields['title'], search) || has(fields['tags'], search),
  );
  const { skip, limit } = page(query, service.readings);
  const records = all.slice(skip, skip + limit).map((template) => listed(service, template));
  return { total_count: all.length, records };
};

export const createTemplate: Operation = (service, { query, body }) => {
  const id = service.ids.take();
  const created = service.now();
  const template = {
    id,
    appId: query.get('app_id') ?? '',
    fields: fieldsOf(body),
    created,
    refreshed: created,
  };
  return shape(service, service.world.templates.put(template));
};

/** Modifies a template; a field that is left out keeps its value. */
export const modifyTemplate: Operation = (service, { params, body }) => {
  const template = templateById(service, params['templateId']);
  const fields = { ...template.fields, ...fieldsOf(body) };
  return shape(service, service.world.templates.put({ ...template, fields, refreshed: service.now() }));
};

export const templateDetail: Operation = (service, { params }) => {
  return shape(service, templateById(service, params['templateId']));
};

export function templateById({ world }: Service, id: WireValue | undefined): TemplateRecord {
  const template = world.templates.get(identifier(id) ?? '');
  if (template === undefined) throw noMatching('template');
  return template;
}

function has(text: WireValue | undefined, word: string): boolean {
  return word === '' || (typeof text === 'string' && text.toLowerCase().includes(word));
}

function fieldsOf(body: WireValue | undefined): WireObject {
  const fields = requiredObject(body);
  return Object.fromEntries(
    FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

/** "returned by create, update and detail": type and tags. */
function listed(service: Service, template: TemplateRecord): WireObject {
  const { type: _type, tags: _tags, ...rest } = shape(service, template);
  return rest;
}

function shape(
  { domainId, orgCode }: Service,
  { id, appId, fields, created, refreshed }: TemplateRecord,
): WireObject {
  return {
    id,
    domain_id: domainId,
    org_id: orgCode,
    app_id: appId,
    type: 'DEFAULT',
    title: fields['title'] ?? '',
    sample: fields['sample'] ?? '',
    operator: 'sandbox',
    create_time: created,
    refresh_time: refreshed,
    actions: fields['actions'] ?? [],
    contents: fields['contents'] ?? [],
    tags: fields['tags'] ?? '',
  };
}
