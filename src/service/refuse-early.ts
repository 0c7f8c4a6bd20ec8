import type { OperationName } from '../interface/operations/operations.ts';
import { MESSAGE_BODIES, MESSAGE_TYPES } from '../interface/operations/push.ts';
import { checkValue, type Problem } from '../interface/requests/check-fields.ts';
import type { CheckedRequest } from '../interface/requests/check-request.ts';
import { LIMITS } from '../interface/operation.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns what is wrong about a request beyond its row: what the interface limits or does not support, and
 * what would reach other people than those meant. A message without recipients must never become a message to
 * everyone.
 */
export function refuseEarly(name: OperationName, { query, body }: CheckedRequest): readonly Problem[] {
  if (!isObject(body)) return [];
  if (name === 'pushMessage') return [...audience(query, body), ...messageBody(body)];
  return name === 'createSchedule' || name === 'modifySchedule' ? attendees(body) : [];
}

function audience(query: Readonly<Record<string, string>>, body: Members): readonly Problem[] {
  const people = countOf(body['client_ids']) + countOf(body['usernames']);
  const scopes = countOf(body['scopes']);
  const direct = query['direct'] === 'true';
  return [
    ...blanks(body),
    ...(direct && scopes > 0
      ? [{ place: 'body.scopes', text: 'cannot go with direct=true: leave direct out, or name people' }]
      : []),
    ...(direct && people > LIMITS.directPeople
      ? [
          {
            place: 'body',
            text: `names ${people} people; direct=true reaches at most ${LIMITS.directPeople}`,
          },
        ]
      : []),
    ...(people + scopes === 0 && query['for_all'] !== 'true'
      ? [
          {
            place: 'body',
            text: 'has no recipient: give client_ids, usernames or scopes, or for_all=true for everybody',
          },
        ]
      : []),
  ];
}

/** A blank is no recipient. A service that drops it could take the message for one to everyone. */
function blanks(body: Members): readonly Problem[] {
  return ['client_ids', 'usernames', 'scopes'].flatMap((name) => {
    const list: unknown = body[name];
    const isBlank = Array.isArray(list) && list.some((one) => typeof one === 'string' && one.trim() === '');
    return isBlank ? [{ place: `body.${name}`, text: 'has a blank element, which is no recipient' }] : [];
  });
}

function messageBody({ type, body = {} }: Members): readonly Problem[] {
  const matched = MESSAGE_TYPES.find((one) => typeof type === 'string' && one === type.toLowerCase());
  if (matched === undefined) return [];
  const cover = matched === 'video' && isObject(body) ? coverProblem(body['content']) : [];
  return [...checkValue(body, MESSAGE_BODIES[matched], 'body.body'), ...cover];
}

function coverProblem(content: unknown): readonly Problem[] {
  const size = typeof content === 'string' ? Buffer.byteLength(content, 'base64') : 0;
  if (size <= LIMITS.coverBytes) return [];
  return [
    {
      place: 'body.body.content',
      text: `is a cover of ${size} bytes, and at most ${LIMITS.coverBytes} are allowed`,
    },
  ];
}

function attendees(body: Members): readonly Problem[] {
  if (countOf(body['attendees']) === 0 || countOf(body['attendees_with_status']) === 0) return [];
  return [{ place: 'body', text: 'has attendees and attendees_with_status: name them in one of the two' }];
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
