import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend } from './backend.ts';
import type { CallLog, SandboxCall } from './call-log.ts';
import { findRoute } from './routes.ts';
import { writeJson, type Json } from '../../interface/json.ts';
import { invalid, Refused, type Download } from '../operations/operation.ts';
import { isForm } from '../operations/request.ts';
import type { Fault, FaultPlan } from '../options/faults.ts';

/** A function that runs before the work of a call, with the text of its body; that of a form is "". */
export type CallHook = (call: SandboxCall, body: string) => void | Promise<void>;

/** What can change while the server runs. */
interface Controls {
  readonly faults: FaultPlan;
  readonly onCall: CallHook | undefined;
  readonly isClosed: boolean;
}

export interface ServerDeps {
  readonly backend: Backend;
  readonly log: CallLog;
  readonly now: () => number;
  readonly controls: () => Controls;
  /** Answers the path `/`, which is no operation. */
  readonly page: (received: Received) => Promise<Answer>;
}

/** A request with its whole body. */
export interface Received {
  readonly request: IncomingMessage;
  readonly method: string;
  /** Path as it came, without the query. */
  readonly path: string;
  readonly search: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}

/** An answer before it is sent. */
export interface Answer {
  readonly http: number;
  /** Status in the envelope; `undefined` where the answer has none. */
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Whether only the first half is sent, and the connection then breaks. */
  readonly half?: boolean;
}

/** Creates the server of the operations of the interface. */
export function createSandboxServer(deps: ServerDeps): Server {
  return createServer((request, response) => {
    void answerTo(deps, request)
      .catch((error: unknown) => envelope(500, 500, `the sandbox failed: ${reasonOf(error)}`))
      .then((answer) => (answer === undefined ? response.destroy() : send(response, answer, deps.now())));
  });
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Answers a request; `undefined` stands for a dropped connection. */
async function answerTo(deps: ServerDeps, request: IncomingMessage): Promise<Answer | undefined> {
  const { url = '/', method = '', headers } = request;
  const [path = '', ...rest] = url.split('?');
  const search = rest.join('?');
  const asked = { method, path, search, query: new URLSearchParams(search) };
  const received = {
    ...asked,
    request,
    contentType: headers['content-type'] ?? '',
    body: await buffer(request),
  };
  return path === '/' ? deps.page(received) : answerCall(deps, received);
}

/** Answers a call and records it. */
async function answerCall(deps: ServerDeps, received: Received): Promise<Answer | undefined> {
  const { log, backend } = deps;
  const { faults, onCall } = deps.controls();
  const { method, path, query, body, contentType } = received;
  const match = findRoute(received, backend.readings.lockOnly);
  const operation = match?.route.name ?? 'unknown';
  const fault = faults.next(operation);
  // The token is a query parameter.
  const shown = new URLSearchParams(query);
  shown.delete('access_token');
  const call = log.begin({
    at: deps.now(),
    operation,
    method,
    bodyBytes: body.length,
    fault: fault?.kind,
    path: shown.size > 0 ? `${path}?${shown.toString()}` : path,
  });
  await onCall?.(call, isForm(contentType) ? '' : body.toString());
  if (deps.controls().isClosed) return undefined;
  const answer = await underFault(fault, () => work(backend, received, match));
  if (answer !== undefined) log.end(call, answer.http, answer.status);
  return answer;
}

async function work(
  backend: Backend,
  received: Received,
  match: ReturnType<typeof findRoute>,
): Promise<Answer> {
  const { maxUrl, errors } = backend.readings;
  const { request, search } = received;
  const address = `http://${request.headers.host}${request.url}`;
  if (maxUrl > 0 && address.length > maxUrl) return html(414, 'Request-URI Too Large');
  if (match === undefined) return envelope(404, 404, 'no such path');
  try {
    if (!isDecodable(search)) throw invalid('the call is not UTF-8');
    const result = await backend.answer(match, received);
    if (match.route.row.answer.kind !== 'bytes') return envelope(200, 0, 'Everything is ok.', result as Json);
    const { bytes, headers } = result as Download;
    return { http: 200, headers, body: bytes };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return envelope(errors === 'http4xx' ? error.http : 200, error.status, error.message);
  }
}

function isDecodable(search: string): boolean {
  try {
    return decodeURIComponent(search) !== undefined;
  } catch {
    return false;
  }
}

/** Does the work under a fault; `undefined` stands for a dropped connection. */
async function underFault(fault: Fault | undefined, act: () => Promise<Answer>): Promise<Answer | undefined> {
  if (fault === undefined) return act();
  const { kind, slowMs, retryAfter } = fault;
  if (kind === 'dropBefore') return undefined;
  if (kind === '500') return envelope(500, 500, 'internal error');
  if (kind === 'html') return html(502, 'Bad Gateway');
  if (kind === '429') {
    const refused = envelope(429, 429, 'too many requests');
    const after = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    return { ...refused, headers: { ...refused.headers, ...after } };
  }
  const answer = await act();
  if (kind === 'dropAfter') return undefined;
  if (kind === 'slow') await sleep(slowMs);
  return kind === 'cut' ? cutOff(answer) : answer;
}

/** Spoils an answer: bytes break off, text is whole for HTTP and half of its JSON. */
function cutOff(answer: Answer): Answer {
  const { body } = answer;
  if (typeof body !== 'string') return { ...answer, half: true };
  return { ...answer, status: undefined, body: body.slice(0, Math.ceil(body.length / 2)) };
}

/** Returns an answer as the interface writes it (Conventions, 4). */
function envelope(http: number, status: number, message: string, result?: Json): Answer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { http, status, headers, body: writeJson({ status, message, result }) };
}

/** Returns the answer of a proxy in front of the service. */
function html(http: number, title: string): Answer {
  const words = `${http} ${title}`;
  const body = `<html><head><title>${words}</title></head><body><h1>${words}</h1></body></html>`;
  return { http, headers: { 'Content-Type': 'text/html' }, body };
}

/** Sends an answer. `Date` follows the sandbox's clock, so that a test can make it differ from the client's. */
function send(response: ServerResponse, { http, headers, body, half }: Answer, now: number): void {
  const bytes = Buffer.from(body);
  const date = new Date(now).toUTCString();
  response.writeHead(http, { ...headers, Date: date, 'Content-Length': bytes.length });
  if (half === true) response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  else response.end(bytes);
}
