import { READINGS } from '../../src/sandbox/options/readings.ts';
import { Chance } from './chance.ts';

/** A page cap that cuts every list, and a delay that outlives a call. */
const QUANTITIES: Readonly<Record<string, string>> = { N: '37', '2s|500ms': '2s' };
const COMBINATIONS = 20;
/** Of three readings one is switched. */
const SWITCHED = 1 / 3;

/** Under which a record fails for as long as it has an old position: `test/sync/positions.test.ts`. */
const HOPELESS: ReadonlySet<string> = new Set(['positions=stay', 'forgetful=on']);

/** Of readings that count something else than records of a page. */
const OWN_QUANTITIES: Readonly<Record<string, string>> = {
  lockIgnored: '1',
  // A limit has to leave room for one question at least.
  maxLimit: '100',
  maxUrl: '1024',
  maxNames: '20',
  namesRead: '20',
  maxBatch: '20',
};

/** Every value of a reading that is not its default, as `--reading` takes it. */
function switched(name: string, values: string, byDefault: unknown): readonly string[] {
  const quantity = OWN_QUANTITIES[name] ?? QUANTITIES[values];
  if (quantity !== undefined) return [`${name}=${quantity}`];
  const isDefault = (value: string): boolean => value === byDefault || (value === 'on') === byDefault;
  return values
    .split('|')
    .filter((value) => !isDefault(value))
    .map((value) => `${name}=${value}`)
    .filter((reading) => !HOPELESS.has(reading));
}

const VALUES = Object.entries(READINGS).map(([name, { values, byDefault }]) =>
  switched(name, values, byDefault),
);

/** As the interface reads at first sight, then each reading alone. */
export const SINGLE: readonly (readonly string[])[] = [[], ...VALUES.flat().map((reading) => [reading])];

/** Several at once, the same in every run. */
export const COMBINED: readonly (readonly string[])[] = Array.from({ length: COMBINATIONS }, (_, index) => {
  const chance = new Chance(1000 + index);
  return VALUES.flatMap((values) =>
    values.length > 0 && chance.share() < SWITCHED ? [chance.of(values)] : [],
  );
});
