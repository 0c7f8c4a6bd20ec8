import { expect, test } from 'vitest';
import { failureOf } from '../../src/service/calls/failures.ts';
import { nextStep, verdictOf } from '../../src/service/calls/verdict.ts';

const envelope = (status: number): string => JSON.stringify({ status, message: 'words' });
const HTML = '<html></html>';

function judge(http: number, body: string): string {
  const verdict = verdictOf({ http, body, retryAfter: null, date: null });
  const traits = Object.entries(verdict).flatMap(([name, value]) => (value === true ? [name] : []));
  return [verdict.kind, ...traits].join(' ');
}

test.each([
  [200, envelope(0), 'result'],
  [500, envelope(0), 'result'],
  [200, envelope(10011), 'unauthorised'],
  [403, envelope(10011), 'unauthorised'],
  [503, envelope(10011), 'unauthorised'],
  [401, HTML, 'unauthorised'],
  [200, envelope(208502), 'refused settled'],
  [400, envelope(40001), 'refused settled'],
  [404, envelope(404), 'refused settled'],
  [500, envelope(208507), 'refused'],
  [500, envelope(208502), 'refused'],
  [500, envelope(40001), 'refused'],
  [500, envelope(500), 'failed'],
  [502, envelope(1), 'failed'],
  [429, envelope(208502), 'failed throttled'],
  [503, envelope(1), 'failed throttled'],
  [429, '', 'failed throttled'],
  [503, HTML, 'failed throttled'],
  [500, '', 'failed'],
  [200, HTML, 'failed'],
  [200, '', 'failed'],
  [200, '{"status":0', 'failed'],
  [408, '', 'failed'],
  [404, '', 'refused settled'],
  [404, '{"error":"x"}', 'refused settled'],
  [404, HTML, 'failed undone lasting'],
  [404, '{"status":208502,"mess', 'failed'],
  [400, '{"sta', 'failed'],
  [413, HTML, 'failed undone lasting'],
  [405, '', 'failed undone lasting'],
  [302, '', 'failed lasting'],
])('HTTP %i with %s is %s', (http, body, verdict) => {
  expect(judge(http, body)).toBe(verdict);
});

test.each([
  [500, 'result'],
  [200_000, 'failed'],
])('an answer of %i levels is %s', (levels, verdict) => {
  const lists = '['.repeat(levels) + ']'.repeat(levels);
  expect(judge(200, `{"status":0,"result":{"children":${lists}}}`)).toBe(verdict);
});

test.each([
  ['ECONNREFUSED', true, false],
  ['ENOTFOUND', true, false],
  ['ECONNRESET', false, false],
  ['UND_ERR_SOCKET', false, false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true, true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true, true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true, true],
  ['SOMETHING_NEW', false, false],
])('%s: nothing was done: %s, of no use to try again: %s', (code, undone, lasting) => {
  expect(failureOf(Object.assign(new Error('secret words'), { code }))).toMatchObject({
    undone,
    lasting,
  });
});

test('the code of a failure is found behind causes and several addresses', () => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  expect(failureOf(refused).problem).toBe('service-unreachable');
  expect(failureOf(new TypeError('fetch failed', { cause: refused }))).toEqual(failureOf(refused));
  expect(failureOf(new AggregateError([refused, refused]))).toEqual(failureOf(refused));
});

test('reads are tried again, changes only where nothing was done', () => {
  const failed = verdictOf({ http: 500, body: '', retryAfter: null, date: null });
  const unsent = verdictOf(failureOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })));
  const throttled = verdictOf({ http: 429, body: '', retryAfter: null, date: null });
  const step = (verdict: typeof failed, changing: boolean, attempt: number) =>
    nextStep(verdict, { repeatable: !changing, attempt, renewable: false });
  expect(step(failed, false, 4)).toBe('retry');
  expect(step(failed, false, 5)).toBe('giveUp');
  expect(step(failed, true, 1)).toBe('giveUp');
  expect(step(unsent, true, 1)).toBe('retry');
  expect(step(throttled, true, 1)).toBe('giveUp');
  expect(step(throttled, false, 9)).toBe('retry');
  expect(step(throttled, false, 10)).toBe('giveUp');
});
