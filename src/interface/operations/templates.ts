import { integer, list, record, text } from '../terms/field.ts';
import { LIMITS } from '../terms/limits.ts';
import { CHANGES_OTHER, jsonOf, NO_BODY, READS, type Operation } from '../terms/operation.ts';
import { TEMPLATE, TEMPLATE_ACTIONS, TEMPLATE_CONTENTS } from '../records/templates.ts';

const AT = { section: 'Message templates' } as const;
const SOURCE_TYPE = text({ values: ['NATIVE', 'ISV'], default: 'NATIVE' });
const FIELDS = record({
  title: text(),
  tags: text(),
  sample: text(),
  actions: TEMPLATE_ACTIONS,
  contents: TEMPLATE_CONTENTS,
});
const APP = { app_id: text({ required: true }), source_type: SOURCE_TYPE } as const;

export const TEMPLATES = {
  listTemplates: {
    ...AT,
    title: 'List templates',
    method: 'GET',
    path: '/v1/templates',
    query: {
      kw: text(),
      skip: integer({ default: LIMITS.skip, minimum: 0 }),
      limit: integer({ default: LIMITS.limit, minimum: 0 }),
    },
    body: NO_BODY,
    answer: jsonOf(record({ total_count: integer(), records: list(TEMPLATE) })),
    ...READS,
  },
  createTemplate: {
    ...AT,
    title: 'Create template',
    method: 'POST',
    path: '/v1/templates',
    query: APP,
    body: jsonOf(FIELDS),
    answer: jsonOf(TEMPLATE),
    ...CHANGES_OTHER,
  },
  modifyTemplate: {
    ...AT,
    title: 'Modify template',
    method: 'POST',
    path: '/v1/templates/{templateId}',
    query: APP,
    body: jsonOf(FIELDS),
    answer: jsonOf(TEMPLATE),
    ...CHANGES_OTHER,
    repeatable: true,
    open: ['whether a field that is left out keeps its value: the sandbox keeps it'],
  },
  templateDetail: {
    ...AT,
    title: 'Template detail',
    method: 'GET',
    path: '/v1/templates/{templateId}',
    query: {
      appId: text({ required: true }),
      app_id: text(),
      source_type: { ...SOURCE_TYPE, mayBeEmpty: true },
      category_id: text(),
    },
    body: NO_BODY,
    answer: jsonOf(TEMPLATE),
    ...READS,
    open: [
      'the parameter is `appId` here and `app_id` elsewhere: what is given under either name is sent under both',
    ],
  },
} as const satisfies Readonly<Record<string, Operation>>;
