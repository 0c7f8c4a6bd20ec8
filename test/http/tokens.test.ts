import { expect, test } from 'vitest';
import { Tokens, type Entry, type NamedToken } from '../../src/http/tokens.ts';

const TOKEN = 'correct horse battery';

function tokensAt() {
  const clock = { now: 5_000 };
  const known: NamedToken[] = [
    { name: 'bob', token: 'a battery of horses' },
    { name: 'ann', token: TOKEN },
  ];
  return {
    tokens: new Tokens(
      () => known,
      () => clock.now,
    ),
    clock,
    known,
  };
}

const kindOf = (entry: Entry): string =>
  typeof entry === 'string' ? entry : 'name' in entry ? entry.name : 'paused';

test('after 5 wrong tries of an address a token waits for the minute to end, then is taken', () => {
  const { tokens, clock } = tokensAt();
  const tries = Array.from({ length: 1_000 }, (_, n) => tokens.enter('10.0.0.1', `wrong ${n}`));
  expect(tries.map(kindOf).filter((kind) => kind === 'wrong')).toHaveLength(5);
  expect(
    tries.filter((entry) => typeof entry === 'object' && 'isNews' in entry && entry.isNews),
  ).toHaveLength(1);
  expect(tokens.enter('10.0.0.1', TOKEN)).toEqual({ seconds: 60, isNews: false });
  expect(tokens.enter('10.0.0.2', TOKEN)).toEqual({ name: 'ann' });
  clock.now += 60_000;
  expect(tokens.enter('10.0.0.1', TOKEN)).toEqual({ name: 'ann' });
});

test('tokens are tried 50 times a minute at most, by however many addresses', () => {
  const { tokens, clock } = tokensAt();
  const tries = Array.from({ length: 1_000 }, (_, n) => tokens.enter(`10.0.1.${n}`, 'wrong'));
  expect(tries.map(kindOf).filter((kind) => kind === 'wrong')).toHaveLength(50);
  expect(kindOf(tokens.enter('10.0.0.2', TOKEN))).toBe('paused');
  clock.now += 60_000;
  expect(tokens.enter('10.0.0.2', TOKEN)).toEqual({ name: 'ann' });
});

test('a token opens what has its name, and nothing once it is taken away', () => {
  const { tokens, known } = tokensAt();
  expect(tokens.enter('10.0.0.1', 'a battery of horses')).toEqual({ name: 'bob' });
  for (const not of ['', 'ann', `${TOKEN} `, TOKEN.slice(1)])
    expect(tokens.enter(`at ${not}`, not)).toBe('wrong');
  known.pop();
  expect(tokens.enter('10.0.0.1', TOKEN)).toBe('wrong');
});
