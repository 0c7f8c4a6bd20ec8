import { writeJson, type JsonObject } from '../../interface/json.ts';
import { TEMPLATE, type TEMPLATES } from '../../interface/operations/templates.ts';
import { asRow, Refused, wireOf, type Service, type Work } from './operation.ts';
import { pageOf } from './request.ts';
import type { TemplateRecord } from '../world/records.ts';

/** Interface: Message templates. */
export const templateWork: Work<keyof typeof TEMPLATES> = {
  listTemplates: (service, { query }) => {
    const word = (query.kw ?? '').toLowerCase();
    const found = Array.from(service.world.templates.all()).filter(({ fields: { title, tags } }) =>
      [title, tags].some((text) =>
        writeJson(text ?? '')
          .toLowerCase()
          .includes(word),
      ),
    );
    // "returned by create, update and detail": type and tags.
    const records = pageOf(found, query, service.readings).map((template) => {
      const { type: _type, tags: _tags, ...shown } = shownTemplate(service, template);
      return shown;
    });
    return { total_count: found.length, records };
  },
  createTemplate: (service, { query, body }) => {
    const created = service.now();
    const template = { id: service.newId(), appId: query.app_id, fields: body, created, refreshed: created };
    return shownTemplate(service, service.world.templates.put(template));
  },
  // A field that is left out keeps its value.
  modifyTemplate: (service, { params, body }) => {
    const template = templateById(service, params.templateId);
    const changed = { ...template, fields: { ...template.fields, ...body }, refreshed: service.now() };
    return shownTemplate(service, service.world.templates.put(changed));
  },
  templateDetail: (service, { params }) => shownTemplate(service, templateById(service, params.templateId)),
};

export function templateById({ world }: Service, id: string): TemplateRecord {
  const template = world.templates.get(id);
  if (template === undefined) throw new Refused('missing', 'no matching template');
  return template;
}

function shownTemplate(service: Service, template: TemplateRecord): JsonObject {
  const values = {
    ...UNSET,
    ...wireOf(service, template),
    ...template.fields,
    org_id: service.orgCode,
    type: 'DEFAULT',
    operator: 'sandbox',
    create_time: template.created,
    refresh_time: template.refreshed,
  };
  return asRow(values, TEMPLATE);
}

const UNSET = { title: '', sample: '', actions: [], contents: [], tags: '' };
