/** A company of any size, told by numbers: the same units and people in every kind of source. */
export interface Company {
  readonly people: number;
  /** Units below the top, one for a hundred people. */
  readonly units: number;
}

/** A unit; `parent` 0 is the top, which is no unit itself. */
export interface CompanyUnit {
  readonly k: number;
  /** What other records call it. */
  readonly code: string;
  readonly name: string;
  readonly parent: number;
}

export interface CompanyPerson {
  readonly i: number;
  readonly username: string;
  readonly name: string;
  readonly mail: string;
  readonly mobile: string;
  readonly employeeNumber: string;
  readonly title: string;
  readonly tel: string;
  readonly unit: number;
  /** A second unit, which every tenth has. */
  readonly second: number | null;
}

const GIVEN = ['Anna', 'Bruno', 'Chloé', '伟', '芳', '娜', 'Dmitri', 'Eva', 'Farid', '敏'];
const FAMILY = ['Lee', 'Müller', '王', '李', '张', 'Okafor', 'Rossi', '刘', 'Novak', "O'Brien"];
const CHILDREN = 10;

export function companyOf(people: number): Company {
  return { people, units: Math.max(CHILDREN + 2, Math.ceil(people / 100)) };
}

/** Returns unit `k` of 1 … n: ten below the top, ten below each of these, and so on. */
export function unitOf(k: number): CompanyUnit {
  return { k, code: codeOf(k), name: `unit ${k}`, parent: parentOf(k) };
}

export const codeOf = (k: number): string => `D${k}`;

const parentOf = (k: number): number => Math.floor((k - 1) / CHILDREN);

/** Returns the units from `k` up to the one below the top. */
export function upwards(k: number): readonly number[] {
  const line: number[] = [];
  for (let at = k; at !== 0; at = parentOf(at)) line.push(at);
  return line;
}

export function unitsOf({ units }: Company): readonly CompanyUnit[] {
  return Array.from({ length: units }, (_, index) => unitOf(index + 1));
}

/** Returns person `i` of 1 … n. */
export function personOf({ units }: Company, i: number): CompanyPerson {
  return {
    i,
    username: `user${i}`,
    name: `${GIVEN[i % GIVEN.length]} ${FAMILY[Math.floor(i / 7) % FAMILY.length]} ${i}`,
    mail: `user${i}@example.com`,
    mobile: `+86 139${String(i).padStart(8, '0')}`,
    employeeNumber: `E${i}`,
    title: i % 20 === 0 ? 'Lead' : 'Engineer',
    tel: String(1000 + (i % 9000)),
    unit: 1 + (i % units),
    second: i % 10 === 0 ? 1 + ((i * 7 + 3) % units) : null,
  };
}

export function* peopleOf(company: Company): Iterable<CompanyPerson> {
  for (let i = 1; i <= company.people; i += 1) yield personOf(company, i);
}

/** Returns the title that person `i` gets when their record changes. */
export const newTitle = (i: number): string => `Principal ${i}`;

/** A unit goes below another one, with everything below it. */
export interface Move {
  readonly k: number;
  readonly to: number;
  /** Share of the units, and so of the people, that move along: 0 to 1. */
  readonly share: number;
}

/** Returns the move of that unit below the top which has nearly a tenth of the people. */
export function moveOf({ units }: Company): Move {
  const sizes = Array.from({ length: CHILDREN + 1 }, () => 0);
  for (let k = 1; k <= units; k += 1) {
    const top = upwards(k).at(-1) ?? 0;
    sizes[top] = (sizes[top] ?? 0) + 1;
  }
  const distance = (k: number): number => Math.abs((sizes[k] ?? 0) / units - 0.1);
  const tops = Array.from({ length: CHILDREN }, (_, index) => index + 1);
  const k = tops.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  return { k, to: k === 1 ? 2 : 1, share: (sizes[k] ?? 0) / units };
}
