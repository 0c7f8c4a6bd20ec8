import type { FastifyReply } from 'fastify';
import type { Download, Refused, RefusalKind } from '../operations/operation.ts';
import type { Fault } from '../options/faults.ts';
import type { Readings } from '../options/readings.ts';
import { writeWire, type WireValue } from '../world/wire-value.ts';

/** An answer before it is sent. */
export interface WireAnswer {
  readonly http: number;
  /** Status in the envelope; `undefined` where the answer has none. */
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Set where only the first half is sent, and the connection then breaks. */
  readonly half?: true;
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** HTTP status of each kind of refusal with errors=http4xx. "HTTP status codes of failures: not shown." */
const HTTP_OF_KIND: Readonly<Record<RefusalKind, number>> = {
  token: 401,
  invalid: 400,
  place: 403,
  missing: 404,
  conflict: 409,
};

/** Returns the answer for a success (interface: Conventions, 4). */
export function success(result: WireValue): WireAnswer {
  return envelope(200, 0, 'Everything is ok.', result);
}

/** Returns the answer for a success that is bytes with headers of their own (interface: Media). */
export function binary({ bytes, headers }: Download): WireAnswer {
  return { http: 200, headers, body: bytes };
}

export function refusal(error: Refused, readings: Readings): WireAnswer {
  const http = readings.errors === 'http4xx' ? HTTP_OF_KIND[error.kind] : 200;
  return envelope(http, error.status, error.message);
}

/**
 * Returns an answer of the web server in front of the service: it does not take the path, method or body
 * size.
 */
export function httpError(http: number, text: string): WireAnswer {
  return envelope(http, http, text);
}

/** Returns the answer of a fault where the work is not done; `undefined` for a fault of another kind. */
export function faultAnswer(fault: Fault): WireAnswer | undefined {
  const after = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
  if (fault.kind === '429') return withHeaders(httpError(429, 'too many requests'), after);
  if (fault.kind === '500') return httpError(500, 'internal error');
  if (fault.kind === 'html') return badGateway();
  return undefined;
}

/** Returns the answer of a fault that spoils it after the work. */
export function cutOff(answer: WireAnswer): WireAnswer {
  const { body } = answer;
  if (typeof body !== 'string') return { ...answer, half: true };
  return { ...answer, status: undefined, body: body.slice(0, Math.ceil(body.length / 2)) };
}

function withHeaders(answer: WireAnswer, headers: Readonly<Record<string, string>>): WireAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function badGateway(): WireAnswer {
  const body =
    '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
  return { http: 502, headers: { 'Content-Type': 'text/html' }, body };
}

/** Returns the answer of a proxy in front of the service (reading `maxUrl`). */
export function addressTooLong(): WireAnswer {
  const body = '<html><head><title>414 Request-URI Too Large</title></head><body></body></html>';
  return { http: 414, headers: { 'Content-Type': 'text/html' }, body };
}

function envelope(http: number, status: number, message: string, result?: WireValue): WireAnswer {
  return { http, status, headers: JSON_HEADERS, body: writeWire({ status, message, result }) };
}

/**
 * Sends an answer. `Date` follows the sandbox's clock, so that a test can make it differ from the client's.
 */
export function sendAnswer(reply: FastifyReply, answer: WireAnswer, now: number): FastifyReply {
  const { http, body, half } = answer;
  const headers = { ...answer.headers, Date: new Date(now).toUTCString() };
  if (half !== true) return reply.code(http).headers(headers).send(body);
  const { raw } = reply.hijack();
  raw.writeHead(http, { ...headers, 'Content-Length': body.length });
  raw.write(body.slice(0, Math.ceil(body.length / 2)), () => raw.destroy());
  return reply;
}

/** Breaks the connection without an answer. */
export function dropConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
