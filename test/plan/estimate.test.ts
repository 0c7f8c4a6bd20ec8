import { expect, test } from 'vitest';

import { estimate } from '../../src/plan/changes/estimate.ts';
import { CALL_SIZES } from '../../src/domain/settings.ts';

const UNITS = { create: 0, update: 0, move: 0, remove: 0, adopt: 0 };
const PEOPLE = { create: 0, update: 0, adopt: 0, disable: 0, enable: 0, remove: 0 };
const LIMITS = {
  requestsPerSecond: 10,
  concurrency: 4,
  ...CALL_SIZES,
  namesPerQuery: 200,
};

test.each([
  ['nothing', {}, {}, 0, 0],
  ['101 new units: two imports, each with a look', { create: 101 }, {}, 4, 1],
  [
    'changed units are read back together; a removed one is looked into and deleted',
    { update: 3, adopt: 2, remove: 4 },
    {},
    14,
    2,
  ],
  ['a moved unit: tag and its reading back, import and look, a look and the delete', { move: 1 }, {}, 6, 1],
  ['many moved units: the tags are read back together', { move: 1_000 }, {}, 3_021, 303],
  ['10,000 joiners: imports and their reading back', {}, { create: 10_000 }, 100, 10],
  ['a call for each disable, with a look before and after', {}, { disable: 201 }, 205, 21],
  ['a rehire: looks, the enable, the import, the reading back', {}, { enable: 1 }, 5, 1],
])('%s', (_, units, people, ...[calls, seconds]) => {
  const counts = { units: { ...UNITS, ...units }, people: { ...PEOPLE, ...people } };
  expect(estimate(counts, LIMITS)).toEqual({ calls, seconds });
});
