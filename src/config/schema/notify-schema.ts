import { z } from 'zod';
import { NOTIFY_ON, WEBHOOK_FORMS } from '../../domain/settings.ts';
import { smtpUrlProblem, webhookUrlProblem } from '../../schema/url-problems.ts';
import { ABOUT, checkedText, REMEDY, secret, section, text } from '../../schema/values.ts';

const audience = section({
  usernames: z.array(text).default([]).describe('Usernames.'),
}).refine(({ usernames }) => usernames.length > 0, { error: `has no usernames${REMEDY}add usernames` });

const address = text.regex(
  /^[^\s@<>,;]+@[^\s@<>,;]+$/u,
  `is no mail address${REMEDY}write it as name@example.com, without a name before it`,
);

const email = section({
  url: checkedText(smtpUrlProblem).describe('smtps://user:password@host, or smtp://, encrypted by STARTTLS.'),
  from: address.describe('Sender.'),
  to: z.array(address).min(1).describe('Recipients.'),
  startTls: z.literal(false).optional().describe('false: smtp:// sends all in clear.'),
  caFile: text.optional().describe(ABOUT.caFile),
});

const webhook = section({
  url: checkedText(webhookUrlProblem).describe('Gets one POST for each message; a secret itself.'),
  secret: secret.optional().describe('Key that signs.'),
  as: z.enum(WEBHOOK_FORMS).default('json').describe('Form of what is posted.'),
});

export const notifySchema = section({
  to: audience.optional().describe('Recipients in the messenger.'),
  email: email.optional().describe('The same by e-mail.'),
  webhook: webhook.optional().describe('The same by HTTP.'),
  on: z
    .array(z.enum(NOTIFY_ON))
    .min(1)
    .default([...NOTIFY_ON])
    .describe('What is held or fails; joiners, leavers, moves once a day.'),
  language: z.enum(['en', 'zh']).default('en').describe('Language of messages.'),
})
  .refine(({ to, email: mail, webhook: hook }) => (to ?? mail ?? hook) !== undefined, {
    error: `reaches nobody${REMEDY}add to, email or webhook`,
  })
  .describe('Messages about runs; in the messenger sent with service.appToken, else service.token.');
