import type { OperationName } from '../operations/operations.ts';
import { MESSAGE_BODIES, MESSAGE_TYPES } from '../operations/push.ts';
import { checkValue, type Problem } from './check-fields.ts';
import type { CheckedRequest } from './check-request.ts';
import { LIMITS } from '../operation.ts';
import { isObject, type JsonObject } from '../json.ts';

/**
 * Returns what is wrong about a request beyond its row: what the interface limits or does not support, and
 * what would reach other people than those meant. A message without recipients must never become a message to
 * everyone.
 */
export function checkMeaning(name: OperationName, { query, body }: CheckedRequest): readonly Problem[] {
  if (!isObject(body)) return [];
  if (name === 'pushMessage') return [...audience(query, body), ...messageBody(body)];
  return name === 'createSchedule' || name === 'modifySchedule' ? attendees(body) : [];
}

function audience(query: Readonly<Record<string, string>>, body: JsonObject): readonly Problem[] {
  const people = countOf(body['client_ids']) + countOf(body['usernames']);
  const scopes = countOf(body['scopes']);
  const direct = query['direct'] === 'true';
  return [
    ...blanks(body),
    ...problemIf(
      direct && scopes > 0,
      'body.scopes',
      'cannot go with direct=true: leave direct out, or name people',
    ),
    ...problemIf(
      direct && people > LIMITS.directPeople,
      'body',
      `names ${people} people; direct=true reaches at most ${LIMITS.directPeople}`,
    ),
    ...problemIf(
      people + scopes === 0 && query['for_all'] !== 'true',
      'body',
      'has no recipient: give client_ids, usernames or scopes, or for_all=true for everybody',
    ),
  ];
}

const problemIf = (isWrong: boolean, place: string, text: string): readonly Problem[] =>
  isWrong ? [{ place, text }] : [];

/** A blank is no recipient. A service that drops it could take the message for one to everyone. */
function blanks(body: JsonObject): readonly Problem[] {
  return ['client_ids', 'usernames', 'scopes'].flatMap((name) => {
    const list: unknown = body[name];
    const isBlank = Array.isArray(list) && list.some((one) => typeof one === 'string' && one.trim() === '');
    return isBlank ? [{ place: `body.${name}`, text: 'has a blank element, which is no recipient' }] : [];
  });
}

function messageBody({ type, body = {} }: JsonObject): readonly Problem[] {
  const matched = MESSAGE_TYPES.find((one) => typeof type === 'string' && one === type.toLowerCase());
  if (matched === undefined) return [];
  const cover = matched === 'video' && isObject(body) ? coverProblem(body['content']) : [];
  return [...checkValue(body, MESSAGE_BODIES[matched], 'body.body'), ...cover];
}

function coverProblem(content: unknown): readonly Problem[] {
  const size = typeof content === 'string' ? Buffer.byteLength(content, 'base64') : 0;
  const text = `is a cover of ${size} bytes, and at most ${LIMITS.coverBytes} are allowed`;
  return problemIf(size > LIMITS.coverBytes, 'body.body.content', text);
}

function attendees(body: JsonObject): readonly Problem[] {
  const areBoth = countOf(body['attendees']) > 0 && countOf(body['attendees_with_status']) > 0;
  return problemIf(areBoth, 'body', 'has attendees and attendees_with_status: name them in one of the two');
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
