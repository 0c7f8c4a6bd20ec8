import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressTooLong, cutOff, faultAnswer, httpError, type Answer } from './answer.ts';
import type { Backend } from './backend.ts';
import type { CallLog, SandboxCall } from './call-log.ts';
import type { Fault, FaultPlan } from './faults.ts';
import { findRoute } from './find-route.ts';

/** A function that runs before the work of a call, with the text of its body. */
export type CallHook = (call: SandboxCall, body: string) => void | Promise<void>;

/** Settings that can change while the server runs. */
export interface Controls {
  faults: FaultPlan;
  onCall: CallHook | undefined;
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
    handle(parts, request, response).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      send(parts, response, httpError(500, `the sandbox failed: ${text}`));
    });
  });
}

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { backend, controls, log } = parts;
  const body = await readText(request);
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'sandbox'}`);
  const found = findRoute({ method: request.method ?? '', url, older: backend.readings.lockOnly });
  const operation = found?.route.name ?? 'unknown';
  const fault = controls.faults.next(operation);
  const bodyBytes = Buffer.byteLength(body);
  const call = log.begin({ ...describe(parts, request, url), operation, bodyBytes, fault: fault?.kind });
  await controls.onCall?.(call, body);
  const work = (): Answer => {
    const { maxUrl } = backend.readings;
    if (maxUrl > 0 && url.origin.length + (request.url ?? '').length > maxUrl) return addressTooLong();
    if (found === undefined) return httpError(404, 'no such path');
    const contentType = request.headers['content-type'] ?? '';
    return backend.answer({ ...found, query: url.searchParams, contentType, body });
  };
  const answer = controls.closed ? undefined : await underFault(fault, work);
  if (answer === undefined) return void response.destroy();
  log.end(call, answer.http, answer.status);
  send(parts, response, answer);
}

/** Does the work under a fault; `undefined` stands for a dropped connection. */
async function underFault(fault: Fault | undefined, work: () => Answer): Promise<Answer | undefined> {
  if (fault === undefined) return work();
  if (fault.kind === 'dropBefore') return undefined;
  const instead = faultAnswer(fault);
  if (instead !== undefined) return instead;
  const answer = work();
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

async function readText(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/**
 * Sends an answer. `Date` follows the sandbox's clock, so that a test can make it differ from the client's.
 */
function send(parts: Parts, response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(answer.body);
  const date = new Date(parts.now()).toUTCString();
  response.writeHead(answer.http, { ...answer.headers, Date: date, 'Content-Length': body.length });
  response.end(body);
}
