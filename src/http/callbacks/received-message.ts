import type { CallbackFields } from '../../callback/callback-body.ts';
import type { OpenedCallback } from '../../callback/open-callback.ts';
import type { ReceivedMessage } from '../../domain/ports/callbacks.ts';
import type { ApprovalCallback } from '../../domain/settings.ts';

type Told = Pick<ReceivedMessage, 'from' | 'domain' | 'text' | 'isEvent'>;
type Reading = Pick<ApprovalCallback, 'sender' | 'trustUnsigned'>;

/**
 * Returns who wrote what. Only the signed text is believed; where it is no JSON it is the message itself, and who wrote
 * it stands beside it, unsigned (interface, section Events).
 */
export function toldBy({ message, fields, unsigned }: OpenedCallback, reading: Reading): Told {
  const signed: Told =
    fields === null ? { from: null, domain: null, text: message, isEvent: false } : ofFields(fields, reading);
  if (signed.from !== null || !reading.trustUnsigned) return signed;
  const { from, domain } = ofFields(unsigned, reading);
  return { ...signed, from, domain };
}

function ofFields(fields: CallbackFields, { sender }: Reading): Told {
  return {
    from: sender === 'from_user' ? fields.fromUser : fields.fromUserName,
    domain: fields.fromDomain,
    text: textOf(fields),
    isEvent: isEvent(fields),
  };
}

/** Returns what was written, or the key of the button that was pressed. */
function textOf(fields: CallbackFields): string | null {
  const { msgType, content, event, eventKey } = fields;
  if (isEvent(fields)) return event?.toUpperCase() === 'CLICK' ? eventKey : null;
  return (msgType?.toLowerCase() ?? 'text') === 'text' ? content : null;
}

const isEvent = ({ msgType }: CallbackFields): boolean => msgType?.toLowerCase() === 'event';
