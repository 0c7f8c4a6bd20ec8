import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressTooLong, cutOff, faultAnswer, httpError, refusal, type Answer } from './answer.ts';
import type { Backend } from './backend.ts';
import type { CallLog, SandboxCall } from './call-log.ts';
import type { FoundRoute, Route } from './routes.ts';
import type { MediaFiles } from '../media/media-files.ts';
import { isForm, receiveForm, type Form } from '../media/receive-form.ts';
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

export interface Parts {
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
  readonly found: FoundRoute<Route> | undefined;
  readonly body: ReceivedBody;
}

/** Answers a call and records it; `undefined` stands for a dropped connection. */
export async function answerCall(parts: Parts, received: Received): Promise<Answer | undefined> {
  const { controls, log } = parts;
  const { request, url, found, body } = received;
  const operation = found?.route.name ?? 'unknown';
  const fault = controls.faults.next(operation);
  const about = { operation, bodyBytes: body.bytes, fault: fault?.kind };
  const call = log.begin({ ...describe(parts, request, url), ...about });
  await controls.onCall?.(call, body.text);
  const work = async (): Promise<Answer> => answerOf(parts, received);
  const answer = controls.closed ? undefined : await underFault(fault, work);
  if (answer !== undefined) log.end(call, answer.http, answer.status);
  return answer;
}

async function answerOf({ backend }: Parts, received: Received): Promise<Answer> {
  const { request, url, contentType, found, body } = received;
  const { maxUrl } = backend.readings;
  if (maxUrl > 0 && url.origin.length + (request.url ?? '').length > maxUrl) return addressTooLong();
  if (found === undefined) return httpError(404, 'no such path');
  const { route, params } = found;
  if (!body.isText || !isDecodable(url.search))
    return refusal(invalid('the call is not UTF-8'), backend.readings);
  const call = { params, query: url.searchParams, contentType, body: body.text };
  if (route.run === undefined) return backend.answerMedia({ ...call, route, form: body.form });
  return backend.answer({ ...call, route });
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

/** The body of a call: its text, or a form whose files are on disk. */
interface ReceivedBody {
  readonly bytes: number;
  readonly text: string;
  /** Whether the text is what came: other bytes than UTF-8 cannot be read. */
  readonly isText: boolean;
  readonly form: Form | undefined;
}

/** Reads all of a body. A form is taken apart only where an operation on medias was called. */
export async function receiveBody(
  request: IncomingMessage,
  found: FoundRoute<Route> | undefined,
  files: MediaFiles,
): Promise<ReceivedBody> {
  const media = found !== undefined && found.route.run === undefined;
  if (media && isForm(request.headers['content-type'] ?? '')) {
    const form = await receiveForm(request, files);
    return { bytes: form.bytes, text: '', isText: true, form };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return { bytes: whole.length, text: whole.toString('utf8'), isText: isUtf8(whole), form: undefined };
}

/** Removes the files of a form that were not kept. */
export async function dropFiles({ form }: ReceivedBody, files: MediaFiles): Promise<void> {
  for (const { spooled } of form?.files ?? []) await files.drop(spooled);
}
