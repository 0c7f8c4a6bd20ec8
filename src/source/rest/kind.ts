import { z } from 'zod';
import { isClear } from '../../schema/url-problems.ts';
import { personFields, positionQueryFields, unitFields, where } from '../../schema/field-schema.ts';
import { asRaw, type Finding, type Raw } from '../../schema/raw.ts';
import {
  ABOUT,
  clientTls,
  count,
  httpUrl,
  REMEDY,
  secretSource,
  section,
  text,
} from '../../schema/values.ts';
import type { Kind, SettingsWithRows } from '../records/kind.ts';
import { peoplePart, positionsPart, unitsPart } from '../records/part-rules.ts';

const pointer = text.regex(/^\//u, `is no JSON Pointer${REMEDY}begin it with a slash, as in /data/items`);
const path = text.regex(/^\/[^#]*$/u, `is no path below url${REMEDY}begin it with a slash, as in /users`);
const constant = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const query = z.record(text, constant);
const json = z.record(text, z.unknown());
const headerName = text.regex(/^[\w!#$%&'*+.^`|~-]+$/u);
const NO_HEADER = {
  error: ({ code }: { readonly code?: string }) =>
    code === 'invalid_key' ? `is no name of a header${REMEDY}write it as X-Api-Key` : undefined,
};
const headerValue = constant.refine((value) => !/[^\t\x20-\x7e]/u.test(value), {
  error: `has characters that no header has${REMEDY}use letters, digits and signs of ASCII`,
});
const sizeFrom = (least: number) =>
  z.record(text, z.int().min(least)).refine((sizes) => Object.keys(sizes).length === 1, {
    error: `has not one name${REMEDY}write it as { limit: 200 }`,
  });
const size = sizeFrom(1);
/** A page of one record shows nothing: with all records in it, one more question is for a page of one. */
const sizeOfSome = sizeFrom(2).optional();

/** Styles of paging, by the key that tells them apart, with what may stand beside it. */
const STYLES = {
  offset: { from: count.default(0), size, total: pointer.optional() },
  page: { from: count.default(1), size: size.optional(), total: pointer.optional() },
  cursor: {
    param: text,
    first: z.union([z.string(), z.number()]).optional(),
    more: pointer.optional(),
    size: sizeOfSome,
    total: pointer.optional(),
  },
  next: { size: sizeOfSome, total: pointer.optional() },
} as const;

function noPages(input: unknown): string {
  const keys = Object.keys(asRaw(input));
  const [style, beside] = Object.entries(STYLES).find(([name]) => keys.includes(name)) ?? [];
  if (style === undefined || beside === undefined)
    return `names no style of paging${REMEDY}write none, or offset, page, cursor or next: docs/sources/rest.md has each`;
  const [example, known] = [EXAMPLES[style as keyof typeof STYLES], Object.keys(beside).join(', ')];
  return `is no paging by ${style}${REMEDY}write it as ${example}; beside ${style} it takes ${known}`;
}

const EXAMPLES: Readonly<Record<keyof typeof STYLES, string>> = {
  offset: '{ offset: NAME, size: { NAME: 100 } }',
  page: '{ page: NAME, size: { NAME: 100 } }',
  cursor: '{ cursor: /POINTER, param: NAME, size: { NAME: 100 } }',
  next: '{ next: /POINTER, size: { NAME: 100 } }, or next: Link',
};

const pages = z
  .union(
    [
      z.literal('none'),
      section({ offset: text, ...STYLES.offset }),
      section({ page: text, ...STYLES.page }),
      section({ cursor: pointer, ...STYLES.cursor }),
      section({ next: z.union([z.literal('Link'), pointer]), ...STYLES.next }),
    ],
    { error: ({ input }) => noPages(input) },
  )
  .meta({
    id: 'pages',
    description: 'How a list is divided into pages; docs/sources/rest.md has the five styles.',
  });

const asked = { get: path.optional(), post: path.optional(), query: query.optional(), body: json.optional() };

/** Refuses a question with two methods, or none. */
const oneMethod = ({ get, post, body }: z.output<z.ZodObject<typeof asked>>): boolean =>
  (get === undefined) !== (post === undefined) && (body === undefined || post !== undefined);
const METHOD = {
  error: `needs get or post, and body goes with post${REMEDY}write one path, as in get: /users`,
};

const complete = section({
  count: section({ ...asked, at: pointer.optional() })
    .refine(oneMethod, METHOD)
    .optional(),
  has: z.array(constant).min(1).optional(),
  trust: text.optional(),
}).meta({
  id: 'complete',
  description: 'What proves that a list is whole: count, has, trust; docs/sources/rest.md has each.',
});

const request = {
  get: path.optional().describe('Path of the list, asked by GET.'),
  post: path.optional().describe('The same, asked by POST.'),
  query: query.optional().describe('Constants in the query.'),
  body: json.optional().describe('JSON sent with post.'),
  items: pointer.optional().describe('JSON Pointer to the list, else the answer is the list.'),
  key: text.optional().describe('Field that tells records apart, else that of fields.id.'),
  sparse: z.array(text).default([]).describe('Fields omitted if empty.'),
  pages: pages.optional().describe('Pages of this list, else source.pages.'),
  complete: complete.optional().describe('Proof for this list, else source.complete.'),
};

const auth = section({
  bearer: secretSource.optional(),
  basic: section({ user: text, password: secretSource }).optional(),
  oauth: section({
    tokenUrl: httpUrl,
    clientId: text,
    clientSecret: secretSource,
    scope: text.optional(),
    in: z.enum(['basic', 'body']).optional(),
  }).optional(),
  login: section({
    ...asked,
    secret: secretSource,
    token: pointer,
    as: z.union([z.literal('bearer'), section({ header: headerName }), section({ query: text })], {
      error: `is no place of a token${REMEDY}write bearer, { header: NAME } or { query: NAME }`,
    }),
  })
    .refine(oneMethod, METHOD)
    .optional(),
  header: z
    .record(
      headerName,
      z.union([secretSource, section({ prefix: z.string(), secret: secretSource })]),
      NO_HEADER,
    )
    .optional(),
})
  .refine((all) => ['bearer', 'basic', 'oauth', 'login'].filter((kind) => kind in all).length <= 1, {
    error: `has several ways to name who asks${REMEDY}keep one of bearer, basic, oauth and login`,
  })
  .meta({
    id: 'auth',
    description: 'Who asks: bearer, basic, oauth or login, and header; docs/sources/rest.md has each.',
  });

const codes = z.array(constant);

const schema = section({
  type: z.literal('rest').describe(ABOUT.type),
  url: httpUrl.describe('Where all paths begin; links must be of its host.'),
  auth: auth.prefault({}).describe('Who asks, and secrets.'),
  tls: clientTls,
  headers: z.record(headerName, headerValue, NO_HEADER).optional().describe('Constant headers, no secrets.'),
  ok: section({
    at: pointer.describe('JSON Pointer to a code.'),
    is: codes.min(1).describe('Codes of success.'),
    words: pointer.optional().describe('JSON Pointer to its words.'),
    wait: codes.default([]).describe('Codes that ask for a pause.'),
    renew: codes.default([]).describe('Codes that ask for another token.'),
  })
    .optional()
    .describe('For failures with HTTP 200.'),
  rate: section({
    perSecond: z.number().positive().optional().describe('Most requests a second.'),
    reset: section({ header: text.toLowerCase(), as: z.enum(['epoch', 'seconds']) })
      .meta({ id: 'reset', description: 'A header: { header: NAME, as: epoch } or seconds.' })
      .optional()
      .describe('When to ask again.'),
  })
    .optional()
    .describe('Pace of requests.'),
  pages: pages.default('none').describe('How lists are paged.'),
  complete: complete.prefault({}).describe('What proves that lists are whole.'),
  units: section({ ...request, where, fields: unitFields.describe(ABOUT.fields) })
    .refine(oneMethod, METHOD)
    .transform((part) => unitsPart(part))
    .describe(ABOUT.units),
  people: section({ ...request, where, fields: personFields.describe(ABOUT.fields) })
    .refine(oneMethod, METHOD)
    .transform((part) => peoplePart(part))
    .describe(ABOUT.people),
  positions: section({ ...request, fields: positionQueryFields.describe(ABOUT.fields) })
    .refine(oneMethod, METHOD)
    .transform((part) => positionsPart(part))
    .optional()
    .describe(ABOUT.positions),
});

const member = schema.partial({ units: true, people: true });
const lookup = section(request).refine(oneMethod, METHOD);
type Input = z.output<typeof member>;

export type RestSettings = SettingsWithRows<Input, z.output<typeof lookup>> & {
  /** Seconds for each answer; absent: 60. Tests have less time. */
  readonly timeoutSeconds?: number;
};

export const restKind = {
  schema,
  member,
  lookup,
  settings: (input) => input,
  secrets: [
    ['auth', 'bearer'],
    ['auth', 'basic', 'password'],
    ['auth', 'oauth', 'clientSecret'],
    ['auth', 'login', 'secret'],
    ['auth', 'header', '*'],
    ['auth', 'header', '*', 'secret'],
  ],
  findings: unproved,
  inClear: ({ url, auth: { oauth } }) => [
    ...(isClear(url, 'http:')
      ? ['source.url is http://: secrets and people go over the network in clear; use https://']
      : []),
    ...(oauth !== undefined && isClear(oauth.tokenUrl, 'http:')
      ? ['source.auth.oauth.tokenUrl is http://: the secret goes over the network in clear; use https://']
      : []),
  ],
  schemes: ['https:', 'http:'],
  widen: 'widen the query of source.units',
  lookAt: 'paths, queries and what the account may see',
  positionsFrom: 'get: /path',
} satisfies Kind<Input, RestSettings>;

/** Keys of `complete` and `pages` by which the end of a list can be shown. */
const SHOWING = ['count', 'trust', 'offset', 'page', 'size', 'more'];

/** Finds lists of which nothing could show that they came to their end. */
function unproved(source: Raw): readonly Finding[] {
  return ['units', 'people', 'positions'].flatMap((part) => {
    const list = asRaw(source[part]);
    if (list['get'] === undefined && list['post'] === undefined) return [];
    const style = list['pages'] ?? source['pages'] ?? 'none';
    const proofs = { ...asRaw(list['complete'] ?? source['complete']), ...asRaw(style) };
    if (SHOWING.some((key) => proofs[key] !== undefined)) return [];
    const isOne = style === 'none';
    return [
      {
        path: [part],
        wrong: isOne
          ? 'nothing shows that its one answer is the whole list'
          : 'nothing shows when its last page came',
        remedy: `${isOne ? 'add pages, or' : 'add size to pages, or'} complete with count, or with trust and the reason`,
      },
    ];
  });
}
