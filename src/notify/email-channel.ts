import MailComposer from 'nodemailer/lib/mail-composer';
import type { EmailSettings } from '../domain/settings.ts';
import type { Channel, Outgoing, Trial } from './channel.ts';
import { SmtpSession } from './smtp-session.ts';

/** Returns the channel by e-mail: one message to all recipients, in plain text. */
export function emailChannel(settings: EmailSettings): Channel & Trial {
  const within = async <T>(signal: AbortSignal, work: (session: SmtpSession) => Promise<T>): Promise<T> => {
    const session = new SmtpSession(settings, signal);
    try {
      await session.open();
      return await work(session);
    } finally {
      session.close();
    }
  };
  return {
    name: 'email',
    takesReplies: false,
    async send(outgoing, signal) {
      const mail = await mailOf(settings, outgoing);
      await within(signal, (session) => session.send(settings, mail));
    },
    check: (signal) => within(signal, (session) => Promise.resolve(session.describe())),
  };
}

function mailOf({ from, to }: EmailSettings, { title, text, page }: Outgoing): Promise<Buffer> {
  const attachments =
    page === null ? [] : [{ path: page.path, filename: page.name, contentType: page.contentType }];
  const headers = { 'Auto-Submitted': 'auto-generated' };
  return new MailComposer({ from, to: [...to], subject: title, text, attachments, headers })
    .compile()
    .build();
}
