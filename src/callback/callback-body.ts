import { isObject, parseLossless } from '../lib/parse-lossless.ts';
import type { CallbackMode } from '../domain/settings.ts';
import { CallbackError } from './callback-error.ts';

/**
 * The fields of a message that are read (section Events), all as text so that no number loses a digit; `null`: not given,
 * empty, or neither text nor number.
 */
export interface CallbackFields {
  readonly fromUserName: string | null;
  readonly msgType: string | null;
  readonly content: string | null;
  readonly event: string | null;
  readonly eventKey: string | null;
  /** Of formatted messages only. */
  readonly fromDomain: string | null;
}

interface CallbackBody {
  readonly mode: CallbackMode;
  /** What the signature covers: `message` in plaintext mode, otherwise `encrypt`. */
  readonly echo: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns what a callback's body says of itself (section Events). Throws a CallbackError `notJson` where it is not a
 * JSON object in UTF-8 with `message` or `encrypt` as text; `null` and an empty text count as not given.
 */
export function readBody(body: string | Uint8Array): CallbackBody {
  const json = jsonObject(typeof body === 'string' ? body : utf8(body));
  if (json === null) throw notJson('is not a JSON object in UTF-8');
  const [message, encrypt] = [echoAt(json, 'message'), echoAt(json, 'encrypt')];
  if (encrypt !== null) return { mode: message === null ? 'safe' : 'compatible', echo: encrypt };
  if (message === null) throw notJson('has neither `message` nor `encrypt`');
  return { mode: 'plain', echo: message };
}

/** Returns the fields that a message repeats (section Events); `null` where it is not a JSON object. */
export function fieldsIn(message: string): CallbackFields | null {
  const json = jsonObject(message);
  return json === null ? null : fieldsOf(json);
}

function fieldsOf(json: JsonObject): CallbackFields {
  const body = json['msg_body'];
  return {
    fromUserName: textAt(json, 'from_user_name'),
    msgType: textAt(json, 'msg_type'),
    content: textAt(json, 'content') ?? (isObject(body) ? textAt(body, 'content') : null),
    event: textAt(json, 'event'),
    eventKey: textAt(json, 'event_key'),
    fromDomain: textAt(json, 'from_domain'),
  };
}

function textAt(json: JsonObject, name: string): string | null {
  const value = json[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function echoAt(json: JsonObject, name: string): string | null {
  const value = json[name] ?? '';
  if (typeof value !== 'string') throw notJson(`has \`${name}\` as something that is not text`);
  return value === '' ? null : value;
}

function jsonObject(text: string | null): JsonObject | null {
  try {
    const json = text === null ? null : parseLossless(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function notJson(what: string): CallbackError {
  return new CallbackError(
    'notJson',
    `Callback body: it ${what}. It did not come from the service, or was changed on its way: look at what stands ` +
      'between the service and this address.',
  );
}
