import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressTooLong, cutOff, faultAnswer, httpError, type Answer } from './answer.ts';
import type { Backend } from './backend.ts';
import type { CallLog, SandboxCall } from './call-log.ts';
import type { Fault, FaultPlan } from './faults.ts';
import { byOps, findRoute, type FoundRoute } from './find-route.ts';
import { dropFiles, receiveBody, type ReceivedBody } from './receive-body.ts';
import type { Route } from './routes.ts';
import { sendAnswer } from './send-answer.ts';
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

export interface Parts {
  readonly backend: Backend;
  readonly log: CallLog;
  readonly controls: Controls;
  readonly now: () => number;
}

export function createSandboxServer(parts: Parts): Server {
  return createServer((request, response) => {
    handle(parts, request, response).catch(async (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      await sendAnswer(response, httpError(500, `the sandbox failed: ${text}`), parts.now());
    });
  });
}

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { backend } = parts;
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'sandbox'}`);
  const contentType = request.headers['content-type'] ?? '';
  const older = backend.readings.lockOnly;
  const place = findRoute({ method: request.method ?? '', url, older, contentType });
  const body = await receiveBody(request, place, backend.files);
  const found = place && byOps(place, body.text);
  try {
    await answerCall(parts, { request, url, contentType, found, body }, response);
  } finally {
    await dropFiles(body, backend.files);
  }
}

/** One call with its whole body. */
interface Received {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly contentType: string;
  readonly found: FoundRoute<Route> | undefined;
  readonly body: ReceivedBody;
}

async function answerCall(parts: Parts, received: Received, response: ServerResponse): Promise<void> {
  const { controls, log } = parts;
  const { request, url, found, body } = received;
  const operation = found?.route.name ?? 'unknown';
  const fault = controls.faults.next(operation);
  const about = { operation, bodyBytes: body.bytes, fault: fault?.kind };
  const call = log.begin({ ...describe(parts, request, url), ...about });
  await controls.onCall?.(call, body.text);
  const work = async (): Promise<Answer> => answerOf(parts, received);
  const answer = controls.closed ? undefined : await underFault(fault, work);
  if (answer === undefined) return void response.destroy();
  log.end(call, answer.http, answer.status);
  await sendAnswer(response, answer, parts.now());
}

async function answerOf({ backend }: Parts, received: Received): Promise<Answer> {
  const { request, url, contentType, found, body } = received;
  const { maxUrl } = backend.readings;
  if (maxUrl > 0 && url.origin.length + (request.url ?? '').length > maxUrl) return addressTooLong();
  if (found === undefined) return httpError(404, 'no such path');
  const { route, params } = found;
  const call = { params, query: url.searchParams, contentType, body: body.text };
  if (route.run === undefined) return backend.answerMedia({ ...call, route, form: body.form });
  return backend.answer({ ...call, route });
}

/** Does the work under a fault; `undefined` stands for a dropped connection. */
async function underFault(
  fault: Fault | undefined,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
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
  parts: Parts,
  request: IncomingMessage,
  url: URL,
): Pick<SandboxCall, 'at' | 'method' | 'path'> {
  const query = new URLSearchParams(url.searchParams);
  query.delete('access_token');
  const path = query.size > 0 ? `${url.pathname}?${query.toString()}` : url.pathname;
  return { at: parts.now(), method: request.method ?? '', path };
}
