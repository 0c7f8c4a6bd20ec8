import { z } from 'zod';
import type { SecretSource } from '../domain/source-settings.ts';
import { suggest } from '../lib/suggest.ts';

// A process reads its configuration once or twice: compiling the schemas takes longer than it saves.
z.config({ jitless: true });

/** Separator in a sentence about one key: what is wrong stands before it, what to do after it. */
export const REMEDY = '; ';

/**
 * Returns a schema of a mapping that knows its keys: an unknown key is a problem of its own, reported with
 * the key that was probably meant.
 */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const accepted = Object.keys(shape);
  return z.strictObject(shape, {
    // One line for each key, in the order of the issue's keys.
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key: string) => unknownKey(key, accepted)).join('\n')
        : undefined,
  });
}

function unknownKey(key: string, accepted: readonly string[]): string {
  const suggestion = suggest(key, accepted);
  return `unknown key${REMEDY}${suggestion === undefined ? removalRemedy(accepted) : `did you mean ${suggestion}?`}`;
}

function removalRemedy(accepted: readonly string[]): string {
  const listed = accepted.slice(0, 12).join(', ');
  return `remove it; known here: ${listed}${accepted.length > 12 ? ', …' : ''}`;
}

/** Small value schemas. None of their sentences repeats a text that may be a secret. */

export const text = z.string().trim().min(1, `is empty${REMEDY}give it a value`);

/** Returns the schema of a text; `problemOf` returns a sentence about what is wrong with one, or `undefined`. */
export function checkedText(problemOf: (text: string) => string | undefined) {
  return text.superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** A secret, not trimmed: a password may begin or end with a blank, and blanks alone are none. */
export const secret = z.string().regex(/\S/u, `is empty${REMEDY}give it a value`);

export const count = z.int().min(0);
export const atLeastOne = z.int().min(1);
export const percent = z.number().min(0).max(100);
export const seconds = z.number().positive();

export const changes = z
  .enum(['auto', 'off'])
  .optional()
  .describe('auto reads only changed people; off, the default, all.');

/** A URL with http or https and nothing after the path; the slash at its end is removed. */
export const httpUrl = text
  .refine((url) => isHttpUrl(url), {
    error: `is no http:// or https:// URL without user, query and fragment${REMEDY}write it as https://im.example.com`,
  })
  .overwrite((url) => url.replace(/\/+$/, ''));

function isHttpUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
}

/** Descriptions of keys that several schemas have. */
export const ABOUT = {
  type: 'Kind of the source.',
  caFile: 'PEM file of the authority.',
  certFile: 'PEM file of rollcall’s certificate; needs keyFile.',
  keyFile: 'PEM file of its key, without a passphrase.',
  insecure: 'Certificates are not checked; rollcall warns.',
  tls: 'Certificates.',
  where: 'If false, a unit or person counts as missing.',
  units: 'How units are read.',
  people: 'How people are read.',
  positions: 'One row for each person and unit.',
  fields: 'Rules of fields (docs/fields.md).',
} as const;

/** TLS with a server that may ask for a certificate too. */
export const clientTls = section({
  caFile: text.optional().describe(ABOUT.caFile),
  insecure: z.boolean().default(false).describe(ABOUT.insecure),
  certFile: text.optional().describe(ABOUT.certFile),
  keyFile: text.optional().describe(ABOUT.keyFile),
})
  .prefault({})
  .describe(ABOUT.tls);

/** A secret, or the program that prints it; a file that is named alone comes in place of its text later. */
export const secretSource: z.ZodType<SecretSource, string | { command: string[] }> = z
  .union([secret, z.strictObject({ command: z.array(text).min(1) })], {
    error: `is no text and no command${REMEDY}write \${file:/path}, a text, or { command: [program, argument] }`,
  })
  .meta({
    id: 'secret',
    description:
      'A secret: a text, ${file:…}, or { command: [program, argument] }, which prints it alone within 10 seconds.',
  });

/** A token, the program that prints it, or the client that an OAuth server gives one. */
export const tokenSource = z.union(
  [
    secretSource,
    z.strictObject({
      tokenUrl: httpUrl.describe('Where tokens come from (client_credentials).'),
      clientId: text.describe('Name of the client.'),
      clientSecret: secretSource.describe('Its secret, read for each token.'),
      scope: text.optional().describe('Scope, if the server wants one.'),
    }),
  ],
  {
    error: `is no token, no command and no OAuth client${REMEDY}write \${file:/path}, { command: [program, argument] } or { tokenUrl, clientId, clientSecret }`,
  },
);
