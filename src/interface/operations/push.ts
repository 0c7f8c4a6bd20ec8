import { flag, integer, json, list, record, text, time } from '../field.ts';
import { CHANGES_OTHER, jsonOf, LIMITS, type Operation } from '../operation.ts';
import { PUSH_RESULT } from './templates.ts';

/** Fields of `body` for each type of message. `rich_text`: not shown. */
export const MESSAGE_BODIES = {
  text: record({ content: text({ required: true }), at_all: flag() }),
  image: record({
    media_id: text({ required: true }),
    is_gif: integer({ minimum: 0, maximum: 1 }),
    size: integer({ default: 0 }),
    width: integer({ default: 0 }),
    height: integer({ default: 0 }),
    content: text(),
  }),
  file: record({
    media_id: text({ required: true }),
    name: text(),
    size: integer({ default: 0 }),
    file_status: integer(),
  }),
  video: record({
    media_id: text({ required: true }),
    size: integer({ required: true, default: 0 }),
    duration: integer({ type: 'Long', required: true, default: 0 }),
    name: text(),
    content: text({ note: `base64 cover image of at most ${LIMITS.coverBytes} bytes` }),
    width: integer({ default: 0 }),
    height: integer({ default: 0 }),
  }),
  article: record({
    articles: list(
      record({
        title: text({ required: true }),
        url: text({ required: true, mayBeEmpty: true, note: 'when empty the content is displayed' }),
        summary: text(),
        cover_url: text(),
        cover_enabled: flag(),
        create_time: time(),
        author: text(),
      }),
      { type: 'array', required: true, minimum: 1 },
    ),
  }),
  template: record({
    template_id: text({ required: true }),
    data: list(
      record({
        key: text(),
        value: text(),
        color: text(),
        font_size: text(),
        text_style: text({ values: ['normal', 'bold'] }),
      }),
    ),
    top_color: text(),
    top_avatar: text(),
    top_title: text(),
    emphasis_keyword: text(),
  }),
  rich_text: json(),
} as const;

export type MessageType = keyof typeof MESSAGE_BODIES;
export const MESSAGE_TYPES = Object.keys(MESSAGE_BODIES) as readonly MessageType[];

export const PUSH = {
  pushMessage: {
    section: 'Message push',
    title: 'Message push',
    method: 'POST',
    path: '/v1/apps/mbox',
    query: {
      source_type: text({ values: ['NATIVE', 'ISV'], default: 'NATIVE' }),
      direct: flag({ default: false }),
      for_all: flag({ default: false }),
    },
    body: jsonOf(
      record({
        type: text({ required: true, values: MESSAGE_TYPES, anyCase: true }),
        client_ids: list(text()),
        usernames: list(text()),
        scopes: list(text()),
        platforms: list(text({ values: ['ANDROID', 'IOS', 'PC'] }), { type: 'List' }),
        body: json({ type: 'Map', required: true }),
        actions: list(list(json(), { maximum: LIMITS.buttonsPerRow }), {
          type: 'Json',
          maximum: LIMITS.buttonRows,
        }),
        action_acl: json({ type: 'Json' }),
      }),
    ),
    answer: jsonOf(PUSH_RESULT),
    ...CHANGES_OTHER,
    errors: [202012],
    open: [
      'two shapes of the answer on one path: known by `expects` (the template-only form) or `plan_time`',
      'types in either case: sent as given, compared without case',
      '`top_color`, `top_avatar`, `top_title` stand in `body`, as the table of its fields says',
      'client_ids and usernames together: both count',
      'scopes with `direct`: refused before anything is sent, since they are not supported there',
    ],
  },
} as const satisfies Readonly<Record<string, Operation>>;
