import { z } from 'zod';
import { CallbackError } from '../../callback/callback-error.ts';
import { checkCallbackSettings } from '../../callback/open-callback.ts';
import { REMEDY, secret, section, text } from '../../schema/values.ts';
import { CALLBACK_MODES, type ConsoleSettings } from '../../domain/settings.ts';
import { isLoopback } from '../../domain/text/loopback.ts';

const callback = section({
  token: secret.describe('Token that signs callbacks.'),
  key: secret.optional().describe('AES key of 43 characters; not for plain.'),
  applicationId: text.optional().describe('Id of the application; not for plain.'),
  mode: z.enum(CALLBACK_MODES).default('safe').describe('Encrypted, plain, or both.'),
  domains: z.array(text).min(1).optional().describe('Names of the domain, else service.domainId.'),
}).superRefine((settings, context) => {
  try {
    checkCallbackSettings(settings);
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    const message = error.message.replace(/^Callback settings: /u, '').replace(/\.$/u, '');
    context.addIssue({
      code: 'custom',
      message: `cannot be used: ${message}${REMEDY}see docs/configuration.md`,
    });
  }
});

export const approvalsSchema = section({
  callback: callback.describe('How callbacks are opened.'),
  approvers: z.array(text).min(1).describe('Usernames, spelled as the service shows them.'),
}).describe('Approval by an answer in the messenger; needs http.');

const MOST_PORTS = 65_535;

const listen = text
  .default('127.0.0.1:8080')
  .refine((address) => addressOf(address) !== null, {
    error: `is no address to listen on${REMEDY}write host:port, as in 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080`,
    abort: true,
  })
  .describe('host:port; the default is for this machine alone.')
  .transform((address) => addressOf(address) ?? { host: '127.0.0.1', port: 0 });

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(address: string): Address | null {
  const [, six, host = six, port = ''] =
    /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/iu.exec(address) ?? [];
  if (host === undefined || Number(port) > MOST_PORTS) return null;
  return { host, port: Number(port) };
}

const TOKEN_LENGTH = 16;

const token = secret.min(
  TOKEN_LENGTH,
  `is too short for a token${REMEDY}give it ${TOKEN_LENGTH} characters or more`,
);

const trigger = section({
  token: token.describe('Of who asks for runs; 16 characters or more.'),
}).describe('Takes POST /sync, which begins a run.');

const approver = section({
  username: text.describe('Spelled as the service shows it.'),
  token: token.describe('Of this person alone; 16 characters or more.'),
});

const consoleSchema = z
  .union(
    [
      z.boolean(),
      section({
        token: token.optional().describe('Opens the console; 16 characters or more.'),
        approvers: z.array(approver).min(1).optional().describe('Who may release there what is held.'),
      }).refine(({ token: viewing, approvers }) => viewing !== undefined || approvers !== undefined, {
        error: `has no token and no approvers${REMEDY}write true, or { token: \${file:/path} }`,
      }),
    ],
    { error: `is no switch and no token${REMEDY}write true, or { token: \${file:/path} }` },
  )
  .default(false)
  .describe('Shows a console at /console.')
  .transform((given) => {
    if (given === false) return undefined;
    return given === true ? {} : given;
  });

type Context = z.core.$RefinementCtx;

const NOT_OWN = `is the token of somebody else${REMEDY}give each a token of their own`;

/** Finds tokens that two share, and people who have two. */
function oneTokenEach(
  { token: viewing, approvers = [] }: ConsoleSettings,
  asking: string | undefined,
  context: Context,
): void {
  if (asking !== undefined && asking === viewing)
    context.addIssue({ code: 'custom', path: ['trigger', 'token'], message: NOT_OWN });
  for (const [index, { username, token: own }] of approvers.entries()) {
    const before = approvers.slice(0, index);
    const tokens = [viewing, asking, ...before.map((one) => one.token)];
    const wrong = {
      token: tokens.includes(own) ? NOT_OWN : '',
      username: before.some((one) => one.username === username)
        ? `stands twice${REMEDY}give each person one token`
        : '',
    };
    for (const [key, message] of Object.entries(wrong))
      if (message !== '')
        context.addIssue({ code: 'custom', path: ['console', 'approvers', index, key], message });
  }
}

export const httpSchema = section({ listen, console: consoleSchema, trigger: trigger.optional() })
  .superRefine(({ listen: { host }, console: shown, trigger: asking }, context) => {
    if (shown !== undefined) oneTokenEach(shown, asking?.token, context);
    if (shown === undefined || 'token' in shown || 'approvers' in shown || isLoopback(host)) return;
    const wrong = 'needs a token, because http.listen can be reached from other machines';
    const remedy = 'write { token: ${file:/path} }, or listen on 127.0.0.1';
    context.addIssue({ code: 'custom', path: ['console'], message: `${wrong}${REMEDY}${remedy}` });
  })
  .describe('The listener of the daemon; without it, none.');
