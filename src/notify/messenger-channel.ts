import type { Messenger } from '../domain/ports/messenger.ts';
import type { Audience } from '../domain/settings.ts';
import type { Channel } from './channel.ts';

/** Returns the channel through the service itself. */
export function messengerChannel(messenger: Messenger, to: Audience, takesReplies: boolean): Channel {
  return {
    name: 'messenger',
    takesReplies,
    send: ({ text }, signal) => messenger.push(to, { type: 'text', content: text }, signal),
    async sendPage(page, signal) {
      const { mediaId, size } = await messenger.uploadFile(page, signal);
      await messenger.push(to, { type: 'file', mediaId, name: page.name, size }, signal);
    },
  };
}
