import { CHINESE, DEPARTMENTS, LATIN, TITLES, type Department } from './company.ts';

export interface Employee {
  readonly number: string;
  readonly login: string;
  readonly name: string;
  readonly latinName: string;
  readonly email: string;
  readonly mobile: string;
  readonly status: 'active' | 'left';
}

interface Assignment {
  readonly employee: string;
  readonly department: string;
  readonly title: string;
  readonly primary: boolean;
  readonly head: boolean;
}

export interface Workforce {
  readonly employees: readonly Employee[];
  readonly assignments: readonly Assignment[];
}

const PROJECT_EVERY = 19;
const LEFT_EVERY = 50;

/**
 * Returns the people of the company, always the same ones: it walks tables in fixed strides instead of using
 * chance.
 */
export function hireEverybody(): Workforce {
  const seats = DEPARTMENTS.flatMap((department) =>
    Array.from({ length: department.people }, (_, seat) => ({ department, seat })),
  );
  const employees = seats.map(({ seat }, index) => hire(index, seat));
  const first = seats.map(({ department, seat }, index) => ({
    employee: numberOf(index),
    department: department.id,
    title: titleOf(department, seat),
    primary: true,
    head: seat === 0,
  }));
  return { employees, assignments: [...first, ...projects(first)] };
}

/** Returns second positions: some people also work in another unit. */
function projects(first: readonly Assignment[]): readonly Assignment[] {
  return first
    .filter((_, index) => index % PROJECT_EVERY === PROJECT_EVERY - 1)
    .map(({ employee, department }, index) => {
      const others = DEPARTMENTS.filter(({ id }) => id !== department);
      const elsewhere = pick(others, index * 7).id;
      return { employee, department: elsewhere, title: 'Project Lead', primary: false, head: false };
    });
}

function hire(index: number, seat: number): Employee {
  const { name, latinName, mobile } = index % 5 < 3 ? chinese(index) : latin(index);
  const login = loginOf(latinName);
  const status = seat > 0 && index % LEFT_EVERY === LEFT_EVERY - 1 ? 'left' : 'active';
  return {
    number: numberOf(index),
    login,
    name,
    latinName,
    email: `${login}@harbour.example`,
    mobile,
    status,
  };
}

type Person = Pick<Employee, 'name' | 'latinName' | 'mobile'>;

/** Step through the pairs of names; it has no divisor in common with their number, so no pair comes twice. */
const STRIDE = 137;

function chinese(index: number): Person {
  const { surnames, given } = CHINESE;
  const pair = (index * STRIDE) % (surnames.length * given.length);
  const [family, familyLatin] = pick(surnames, pair);
  const [first, firstLatin] = pick(given, Math.floor(pair / surnames.length));
  return {
    name: family + first,
    latinName: `${firstLatin} ${familyLatin}`,
    mobile: `+86138${digits(index, 8)}`,
  };
}

function latin(index: number): Person {
  const { given, family } = LATIN;
  const pair = (index * STRIDE) % (given.length * family.length);
  const name = `${pick(given, Math.floor(pair / family.length))} ${pick(family, pair)}`;
  return { name, latinName: name, mobile: `+49151${digits(index, 8)}` };
}

function loginOf(latinName: string): string {
  const bare = latinName.normalize('NFD').replaceAll(/[^A-Za-z ]/gu, '');
  return bare.toLowerCase().replace(' ', '.').replaceAll(' ', '');
}

function titleOf({ id }: Department, seat: number): string {
  return seat === 0 ? 'Head of Unit' : pick(TITLES[id.slice(0, 2)] ?? ['Specialist'], seat);
}

function numberOf(index: number): string {
  return `E${digits(index + 1, 4)}`;
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** Returns the entry at an index, which goes round and round the table. */
function pick<T>(table: readonly T[], index: number): T {
  const picked = table[index % table.length];
  if (picked === undefined) throw new Error('the table is empty');
  return picked;
}
