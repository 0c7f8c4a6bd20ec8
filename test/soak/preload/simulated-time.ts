/**
 * Loaded before a program (`node --import`) that knows nothing of it. Its parent moves time: the watch that nobody can
 * set, all timers with it, and the clock on the wall, which can also be set on its own. Within a run time goes on as
 * ever, so that deadlines and pauses are real; the minutes between two runs take none.
 */
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the parent sends; each is answered. */
export type Wish =
  | { readonly wish: 'advance'; readonly ms: number }
  | { readonly wish: 'setClock'; readonly ahead: number }
  | { readonly wish: 'memory' };

export interface Memory {
  /** After a collection of garbage, MB. */
  readonly heapMB: number;
  readonly rssMB: number;
}

/** Milliseconds by which the watch is ahead of the machine's, and the clock ahead of the watch. */
const ahead = {
  watch: Number(process.env['SOAK_WATCH_AHEAD'] ?? 0),
  clock: Number(process.env['SOAK_CLOCK_AHEAD'] ?? 0),
};

const RealDate = Date;
const now = (): number => RealDate.now() + ahead.watch + ahead.clock;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], self) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, self) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

const watch = process.hrtime.bigint.bind(process.hrtime);
process.hrtime.bigint = () => watch() + BigInt(Math.round(ahead.watch)) * 1_000_000n;
const watchMs = (): number => performance.now() + ahead.watch;

/** Timers that are shorter stay as they are: they are the pauses within a run. */
const LONG_MS = 1_000;

interface Waiting {
  due: number;
  /** `null`: it comes once. */
  readonly every: number | null;
  readonly call: () => void;
}

const waiting = new Map<unknown, Waiting>();
const real = { setTimeout, clearTimeout, setInterval, clearInterval };
type Callback = (...args: readonly unknown[]) => void;

function timeout(callback: Callback, ms = 0, ...args: readonly unknown[]): NodeJS.Timeout {
  if (ms < LONG_MS) return real.setTimeout(callback, ms, ...args);
  const call = (): void => {
    waiting.delete(timer);
    callback(...args);
  };
  const timer = real.setTimeout(call, ms);
  waiting.set(timer, { due: watchMs() + ms, every: null, call });
  return timer;
}

function interval(callback: Callback, ms = 0, ...args: readonly unknown[]): NodeJS.Timeout {
  const call = (): void => callback(...args);
  const timer = real.setInterval(call, ms);
  waiting.set(timer, { due: watchMs() + ms, every: ms, call });
  return timer;
}

function clear(timer: NodeJS.Timeout | undefined): void {
  waiting.delete(timer);
  real.clearTimeout(timer);
}

Object.assign(globalThis, {
  setTimeout: Object.assign(timeout, { [promisify.custom]: promisify(real.setTimeout) }),
  setInterval: interval,
  clearTimeout: clear,
  clearInterval: clear,
});

/** Moves the watch and the clock, and lets the timers that are due come in order, each once. */
function advance(ms: number): void {
  ahead.watch += ms;
  const until = watchMs();
  const due = [...waiting]
    .filter(([, one]) => one.due <= until)
    .toSorted(([, one], [, two]) => one.due - two.due);
  for (const [timer, one] of due) {
    if (!waiting.has(timer)) continue;
    if (one.every === null) clear(timer as NodeJS.Timeout);
    else one.due = until + one.every;
    one.call();
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

function memory(): Memory {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMB: (heapUsed + external) / 2 ** 20, rssMB: rss / 2 ** 20 };
}

const answers = {
  advance: ({ ms }: { readonly ms: number }) => advance(ms),
  setClock: ({ ahead: ms }: { readonly ahead: number }) => void (ahead.clock = ms),
  memory,
};

process.on('message', (wish: Wish) => {
  const answer = answers[wish.wish] as (wish: Wish) => Memory | undefined;
  process.send?.({ wish: wish.wish, answer: answer(wish) ?? null });
});
process.channel?.unref();
