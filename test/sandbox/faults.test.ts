import { describe, expect, test } from 'vitest';
import { jsonBody, open, person, type Wire } from './wire-client.ts';

const always = (kind: string): string => `seed=1,rate=1,kinds=${kind},ops=importEmployees`;

/** Imports ann, which fails on purpose, and tells what became of the call and of ann. */
async function importUnder(wire: Wire): Promise<{ readonly response?: Response; readonly done: boolean }> {
  const body = jsonBody([person('ann', wire.sandbox.rootId)]);
  const response = await wire.raw('POST', `${wire.org}/import-employees`, body).catch(() => undefined);
  const done = wire.sandbox.state.employee('ann') !== undefined;
  return response === undefined ? { done } : { response, done };
}

describe('kinds of faults', () => {
  test('429 does nothing, and says sometimes when to come back', async () => {
    const wire = await open({ faults: always('429') });
    const seen = new Set<string | null>();
    for (let call = 0; call < 20; call += 1) {
      const { response, done } = await importUnder(wire);
      expect([response?.status, done]).toEqual([429, false]);
      seen.add(response?.headers.get('retry-after') ?? null);
    }
    expect(seen).toEqual(new Set(['1', null]));
  });

  test('html is a 502 page that is no JSON, and nothing is done', async () => {
    const { response, done } = await importUnder(await open({ faults: always('html') }));
    expect([response?.status, response?.headers.get('content-type'), done]).toEqual([
      502,
      'text/html',
      false,
    ]);
    expect(await response?.text()).toContain('<html>');
  });

  test.each([
    ['dropBefore', false],
    ['dropAfter', true],
  ])('%s ends the connection without an answer; done: %s', async (kind, expected) => {
    const wire = await open({ faults: always(kind) });
    const { response, done } = await importUnder(wire);
    expect([response, done]).toEqual([undefined, expected]);
    expect(wire.sandbox.calls[0]).toMatchObject({ operation: 'importEmployees', fault: kind });
    expect(wire.sandbox.calls[0]).not.toHaveProperty('http');
  });

  test('cut answers half of the JSON, and all is done', async () => {
    const { response, done } = await importUnder(await open({ faults: always('cut') }));
    const text = (await response?.text()) ?? '';
    expect([response?.status, done]).toEqual([200, true]);
    expect(text).toContain('{"status":0');
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test('slow answers late, and all is done before', async () => {
    const wire = await open({ faults: `${always('slow')},slowMs=2000` });
    let isAnswered = false;
    const late = importUnder(wire).finally(() => (isAnswered = true));
    await expect.poll(() => wire.sandbox.state.employee('ann')).toBeDefined();
    expect(isAnswered).toBe(false);
    const { response } = await late;
    expect(response?.status).toBe(200);
  });
});

/** Which fault each of so many calls met. */
async function outcomes(spec: string, calls: number): Promise<readonly (string | undefined)[]> {
  const { raw, org, sandbox } = await open({ faults: spec });
  for (let call = 0; call < calls; call += 1) await raw('GET', org).catch(() => undefined);
  return sandbox.calls.map(({ fault }) => fault);
}

describe('the plan of faults', () => {
  test('the same seed and calls fail the same way, another seed otherwise', async () => {
    const spec = 'rate=0.5,kinds=429+500+html,seed=';
    const first = await outcomes(`${spec}7`, 60);
    expect(await outcomes(`${spec}7`, 60)).toEqual(first);
    expect(await outcomes(`${spec}8`, 60)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([undefined, '429', '500', 'html']));
    const failed = first.filter((fault) => fault !== undefined).length;
    expect(failed).toBeGreaterThan(18);
    expect(failed).toBeLessThan(42);
  });

  test('rate=0 is none, max bounds them, ops chooses', async () => {
    expect(await outcomes('rate=0', 20)).toEqual(Array.from({ length: 20 }));
    expect(await outcomes('rate=1,kinds=500,max=2', 4)).toEqual(['500', '500', undefined, undefined]);
    expect(await outcomes('rate=1,kinds=500,ops=pageUsers+getUser', 2)).toEqual([undefined, undefined]);
  });
});
