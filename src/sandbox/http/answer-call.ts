import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressTooLong, cutOff, faultAnswer, httpError, refusal, type WireAnswer } from './answer.ts';
import type { Backend } from './backend.ts';
import type { CallLog, SandboxCall } from './call-log.ts';
import { isForm } from './form.ts';
import type { RouteMatch } from './routes.ts';
import { invalid } from '../operations/operation.ts';
import type { Fault, FaultPlan } from '../options/faults.ts';
import type { PushRecord } from '../world/records.ts';

/** A function that runs before the work of a call, with the text of its body; that of a form is "". */
export type CallHook = (call: SandboxCall, body: string) => void | Promise<void>;

/** Settings that can change while the server runs. */
export interface Controls {
  faults: FaultPlan;
  onCall: CallHook | undefined;
  /** Called with each message that is pushed. */
  onPush: (push: PushRecord) => void;
  closed: boolean;
}

export interface SandboxDeps {
  readonly backend: Backend;
  readonly log: CallLog;
  readonly controls: Controls;
  readonly now: () => number;
}

/** One call with its whole body. */
interface Received {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly contentType: string;
  readonly match: RouteMatch | undefined;
  readonly body: Buffer;
}

/** Answers a call and records it; `undefined` stands for a dropped connection. */
export async function answerCall(deps: SandboxDeps, received: Received): Promise<WireAnswer | undefined> {
  const { controls, log } = deps;
  const { request, url, contentType, match, body } = received;
  const operation = match?.route.name ?? 'unknown';
  const fault = controls.faults.next(operation);
  const about = { operation, bodyBytes: body.length, fault: fault?.kind };
  const call = log.begin({ ...describe(deps, request, url), ...about });
  await controls.onCall?.(call, isForm(contentType) ? '' : body.toString());
  const work = async (): Promise<WireAnswer> => answerOf(deps, received);
  const answer = controls.closed ? undefined : await underFault(fault, work);
  if (answer !== undefined) log.end(call, answer.http, answer.status);
  return answer;
}

async function answerOf({ backend }: SandboxDeps, received: Received): Promise<WireAnswer> {
  const { request, url, contentType, match, body } = received;
  const { maxUrl } = backend.readings;
  if (maxUrl > 0 && url.origin.length + (request.url ?? '').length > maxUrl) return addressTooLong();
  if (match === undefined) return httpError(404, 'no such path');
  if (!isDecodable(url.search)) return refusal(invalid('the call is not UTF-8'), backend.readings);
  return backend.answer({ ...match, query: url.searchParams, contentType, body });
}

function isDecodable(search: string): boolean {
  try {
    return decodeURIComponent(search) !== undefined;
  } catch {
    return false;
  }
}

/** Does the work under a fault; `undefined` stands for a dropped connection. */
async function underFault(
  fault: Fault | undefined,
  work: () => Promise<WireAnswer>,
): Promise<WireAnswer | undefined> {
  if (fault === undefined) return work();
  if (fault.kind === 'dropBefore') return undefined;
  const instead = faultAnswer(fault);
  if (instead !== undefined) return instead;
  const answer = await work();
  if (fault.kind === 'dropAfter') return undefined;
  if (fault.kind === 'cut') return cutOff(answer);
  await sleep(fault.slowMs);
  return answer;
}

/** Describes a call for the log, without the token, which is a query parameter. */
function describe(
  deps: SandboxDeps,
  request: IncomingMessage,
  url: URL,
): Pick<SandboxCall, 'at' | 'method' | 'path'> {
  const query = new URLSearchParams(url.searchParams);
  query.delete('access_token');
  const path = query.size > 0 ? `${url.pathname}?${query.toString()}` : url.pathname;
  return { at: deps.now(), method: request.method ?? '', path };
}

/** Reads all of a body. */
export async function receiveBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}
