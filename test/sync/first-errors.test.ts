import { expect, test } from 'vitest';
import { RefusedError, ServiceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { loadedWorld, unit, type Edit } from './world.ts';

type Through = (service: Service) => Service;
type Changing = 'disableEmployee' | 'modifyOrganization' | 'contents';

const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1')];
const moved: Edit = () => ({ units: [unit('u1'), unit('u2'), unit('u3')] });
const left: Edit = ({ people }) => ({
  people: people.map((one) => ('active' in one && one.id !== '3' ? { ...one, active: false } : one)),
});
const gone: Edit = () => ({ units: UNITS.slice(0, 2) });
const renamed: Edit = () => ({ units: [...UNITS.slice(0, 2), unit('u3', 'u1', { name: 'New' })] });

/** Lets a call fail with the first error after so many that did not, and then all these reads with a second one. */
const failing =
  (call: Changing, first: Error, reads: readonly (keyof Service)[], after = 0): Through =>
  (service) => {
    let [calls, hasFailed] = [0, false];
    const fail = async (...args: never[]): Promise<unknown> => {
      calls += 1;
      if (calls <= after) return (service[call] as (...all: never[]) => Promise<unknown>)(...args);
      hasFailed = true;
      throw first;
    };
    const second = (name: keyof Service) => [
      name,
      (...args: never[]) =>
        hasFailed
          ? Promise.reject(new ServiceError('the second error'))
          : (service[name] as (...all: never[]) => unknown)(...args),
    ];
    return { ...service, ...Object.fromEntries(reads.map((name) => second(name))), [call]: fail };
  };

const down = new ServiceError('the first error');
const refused = new RefusedError('the first error', 500);

test.each<readonly [string, Edit, Through]>([
  ['after locks', left, failing('disableEmployee', down, ['employees', 'employee'], 1)],
  [
    'after tags of moves',
    moved,
    failing('modifyOrganization', down, ['organization', 'organizations', 'root'], 1),
  ],
  ['for what is in a node', gone, failing('contents', refused, ['organization'])],
  ['after a refused change', renamed, failing('modifyOrganization', refused, ['organization', 'contents'])],
])('a look %s that fails too does not hide what failed first', async (_, edit, through) => {
  const world = await loadedWorld({ units: UNITS });
  const ran = await world.syncAfter(edit, { through });
  const said = [ran.error, ...ran.listed, ...ran.lines.map(({ fields }) => JSON.stringify(fields))].join(
    '\n',
  );
  expect(ran.exitCode).not.toBe(0);
  expect(said).toContain('the first error');
  expect(said).not.toContain('the second error');
});
