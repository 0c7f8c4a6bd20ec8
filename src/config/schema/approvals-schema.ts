import { z } from 'zod';
import { CallbackError } from '../../callback/callback-error.ts';
import { checkCallbackSettings } from '../../callback/open-callback.ts';
import { REMEDY, secret, section, text } from '../../schema/values.ts';
import { CALLBACK_MODES } from '../../domain/settings.ts';
import { isLoopback } from '../../domain/text/loopback.ts';

const callback = section({
  token: secret.describe('Token with which the service signs its callbacks.'),
  key: secret.optional().describe('AES key: 43 characters of Base64. Not needed if mode is plain.'),
  applicationId: text.optional().describe('Identifier of the application. Not needed if mode is plain.'),
  mode: z
    .enum(CALLBACK_MODES)
    .default('safe')
    .describe('Form of the callbacks: plain, encrypted (safe), or both (compatible).'),
  domains: z
    .array(text)
    .min(1)
    .optional()
    .describe('Names of the domain in callbacks. Default: service.domainId.'),
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
  callback: callback.describe('How the callbacks of the service are opened.'),
  approvers: z
    .array(text)
    .min(1)
    .describe('Usernames of the people who may approve, spelled exactly as the service shows them.'),
}).describe('Approval of held changes by an answer in the messenger (approve HASH). Needs http.');

const MOST_PORTS = 65_535;

const listen = text
  .default('127.0.0.1:8080')
  .refine((address) => addressOf(address) !== null, {
    error: `is no address to listen on${REMEDY}write host:port, as in 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080`,
    abort: true,
  })
  .describe('host:port. The default can be reached only from this machine. Port 0 takes a free one.')
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

const consoleSchema = z
  .union(
    [
      z.boolean(),
      section({
        token: secret
          .min(TOKEN_LENGTH, `is too short for a token${REMEDY}give it ${TOKEN_LENGTH} characters or more`)
          .describe('Token that opens the console, 16 characters or more.'),
      }),
    ],
    { error: `is no switch and no token${REMEDY}write true, or { token: \${file:/path} }` },
  )
  .default(false)
  .describe('true, or a token: the daemon shows a read-only console at /console.')
  .transform((given) => {
    if (given === false) return undefined;
    return given === true ? {} : { token: given.token };
  });

export const httpSchema = section({ listen, console: consoleSchema })
  .superRefine(({ listen: { host }, console: shown }, context) => {
    if (shown === undefined || 'token' in shown || isLoopback(host)) return;
    const wrong = 'needs a token, because http.listen can be reached from other machines';
    const remedy = 'write { token: ${file:/path} }, or listen on 127.0.0.1';
    context.addIssue({ code: 'custom', path: ['console'], message: `${wrong}${REMEDY}${remedy}` });
  })
  .describe(
    'The daemon answers /healthz, /readyz, /metrics, callbacks and the console. Without this section it does not listen.',
  );
