import { z } from 'zod';
import { CallbackError } from '../../callback/callback-error.ts';
import { checkCallbackSettings } from '../../callback/open-callback.ts';
import { REMEDY, secret, section, text } from './values.ts';
import { CALLBACK_MODES } from '../../domain/settings.ts';

const callback = section({
  token: secret.describe('Token that signs callbacks.'),
  key: secret.optional().describe('AES key, as 43 characters of Base64; not needed in plain mode.'),
  applicationId: text.optional().describe('Identifier of the application; not needed in plain mode.'),
  mode: z.enum(CALLBACK_MODES).default('safe'),
  domains: z
    .array(text)
    .min(1)
    .optional()
    .describe('Names that callbacks give this domain; without it, service.domainId.'),
}).superRefine((settings, context) => {
  try {
    checkCallbackSettings(settings);
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    const message = error.message.replace(/^Callback settings: /u, '').replace(/\.$/u, '');
    context.addIssue({
      code: 'custom',
      message: `cannot be used: ${message}${REMEDY}see callback in the README`,
    });
  }
});

export const approvalsSchema = section({
  callback,
  approvers: z
    .array(text)
    .min(1)
    .describe('Usernames of those whose answers release what is held, spelled as the service shows them.'),
}).describe('Who may release what is held by answering a message with approve HASH; needs http.');

const MOST_PORTS = 65_535;

const listen = text
  .default('127.0.0.1:8080')
  .refine((address) => addressOf(address) !== null, {
    error: `is no address to listen on${REMEDY}write host:port, as in 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080`,
    abort: true,
  })
  .describe('host:port; the default can be reached from this machine alone. Port 0 takes a free one.')
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

export const httpSchema = section({
  listen,
}).describe('The daemon answers /healthz, /readyz and /metrics there; without it, it listens nowhere.');
