import { employeeListShape } from './employee-list-shape.ts';
import type { Service } from '../operation/service.ts';
import type { UserRecord } from '../world/records.ts';
import type { WireObject } from '../wire/wire-value.ts';

/* People of another organization of the domain, whom lists return as well (reading `sister`). */

const FIRST_ID = 8_800_000_000_000_000_000n;

const numbers = ({ readings }: Service): readonly number[] => [
  ...Array.from({ length: readings.sister }).keys(),
];

/**
 * Returns such people, whatever was asked; half of them have usernames that were asked for, as far as there
 * are some.
 */
export function sisterEmployees(service: Service, asked: readonly string[]): readonly WireObject[] {
  return sisterUsers(service).map((user, number) => {
    const username = (number % 2 === 0 ? asked[number] : undefined) ?? user.username;
    const shape = employeeListShape(service, {
      ...user,
      username,
      userId: user.id,
      locked: false,
      positions: [],
      profile: {},
    });
    return { ...shape, org_code: 'sister' };
  });
}

export function sisterUsers(service: Service): readonly UserRecord[] {
  return numbers(service).map((number) => ({
    id: String(FIRST_ID + BigInt(number)),
    username: `sister${number}`,
    name: `Sister ${number}`,
    disabled: false,
    created: 0,
    refreshed: 0,
  }));
}
