import type { Messenger } from '../domain/ports/messenger.ts';
import type { NotifySettings } from '../domain/settings.ts';
import type { Channel, Trial } from '../notify/channel.ts';
export type { Trial } from '../notify/channel.ts';
import { messengerChannel } from '../notify/messenger-channel.ts';
import { webhookChannel } from '../notify/webhook-channel.ts';

/** Opens the ways out of this machine that need no messenger. The library for e-mail is loaded only where it is wanted. */
export async function openOutside({ email, webhook }: NotifySettings): Promise<readonly (Channel & Trial)[]> {
  const { emailChannel } = email === undefined ? {} : await import('../notify/email-channel.ts');
  return [
    ...(email === undefined || emailChannel === undefined ? [] : [emailChannel(email)]),
    ...(webhook === undefined ? [] : [webhookChannel(webhook)]),
  ];
}

/** Opens each channel on which notices leave. */
export async function openChannels(
  notify: NotifySettings,
  { messenger, takesReplies }: { readonly messenger: Messenger; readonly takesReplies: boolean },
): Promise<readonly Channel[]> {
  const { to } = notify;
  const outside = await openOutside(notify);
  return to === undefined ? outside : [messengerChannel(messenger, to, takesReplies), ...outside];
}
