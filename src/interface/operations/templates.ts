import { integer, list, record, text, time } from '../field.ts';
import { CHANGES_OTHER, jsonOf, LIMITS, NO_BODY, READS, type Operation } from '../operation.ts';

const TEMPLATE_ACTIONS = list(record({ name: text(), value: text() }));

/** Rows of columns; `content` may hold variables of the form `{{<var_name>.DATA}}`. */
const TEMPLATE_CONTENTS = list(
  list(record({ content: text(), align: text({ values: ['left', 'right', 'center'] }) })),
);

/** Interface: Template. */
export const TEMPLATE = record({
  id: text(),
  domain_id: text(),
  org_id: text(),
  app_id: text(),
  type: text({ values: ['DEFAULT'] }),
  title: text(),
  sample: text(),
  operator: text(),
  create_time: time(),
  refresh_time: time(),
  actions: TEMPLATE_ACTIONS,
  contents: TEMPLATE_CONTENTS,
  tags: text(),
});

/** Interface: Template push plan (result of the template-only request form). */
export const TEMPLATE_PUSH_PLAN = record({
  id: text(),
  material_id: text(),
  app_id: text(),
  expects: integer(),
  fails: integer(),
  oks: integer(),
  scopes: list(text()),
  client_ids: list(text()),
  domain_id: text(),
  org_id: text(),
  create_time: time(),
  refresh_time: time(),
  expect_time: time(),
});

/** Interface: Application message push result. */
export const PUSH_RESULT = record({
  id: text(),
  plan_id: text(),
  app_id: text(),
  plan_time: time(),
  recipients: list(text()),
  include_usernames: list(text()),
  exclude_usernames: list(text()),
  include_client_ids: list(text()),
  exclude_client_ids: list(text()),
  conversation_id: text(),
  org_id: text(),
  domain_id: text(),
  create_time: time(),
});

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
    open: ['whether an omitted field keeps its value: the sandbox keeps it'],
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
