import { integer, list, record, text, time } from '../terms/field.ts';

export const TEMPLATE_ACTIONS = list(record({ name: text(), value: text() }));

/** Rows of columns; `content` may hold variables of the form `{{<var_name>.DATA}}`. */
export const TEMPLATE_CONTENTS = list(
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
