/** One world for all kinds of source: what a source must deliver, whatever it keeps it in. */
export interface WorldUnit {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
}

export interface WorldPerson {
  readonly id: string;
  readonly username: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly active: boolean;
  readonly born: string | null;
  readonly order: string | null;
  readonly title: string | null;
  /** The first is the primary one. */
  readonly units: readonly [string, ...string[]];
  /** Field that makes it a refusal. */
  readonly refused?: string;
  /** Field that cannot be read and costs nothing else. */
  readonly lost?: 'birthday' | 'sort_order';
}

export const UNITS: readonly WorldUnit[] = [
  { id: 'u1', parent: null, name: 'Company' },
  { id: 'u2', parent: 'u1', name: 'Sales, Marketing' },
  { id: 'u3', parent: 'u1', name: 'R+D / "Lab" \\ <x>; a=b' },
  { id: 'u4', parent: 'u2', name: '研发部' },
  { id: 'u5', parent: 'u3', name: '🚀 Rockets' },
  { id: 'u6', parent: 'u2', name: 'é'.repeat(255) },
  { id: 'u7', parent: 'u1', name: '#7 O’Brien & Söhne' },
];

const plain = { email: null, active: true, born: null, order: null, title: null } as const;

const NOTABLE: readonly WorldPerson[] = [
  {
    ...plain,
    id: 'p1',
    username: 'lin',
    name: '林 小雨',
    units: ['u4', 'u5'],
    title: 'Engineer',
    email: 'lin@example.com',
  },
  { ...plain, id: 'p2', username: 'zoe', name: 'Zoë 🎈', units: ['u2'], active: false },
  { ...plain, id: 'p3', username: 'max', name: 'Max', units: ['u6', 'u7', 'u3'], born: '1990-05-01' },
  { ...plain, id: 'p4', username: 'big', name: 'Big', units: ['u1'], order: '9007199254740993' },
  { ...plain, id: 'p5', username: 'noname', name: null, units: ['u1'], refused: 'name' },
  { ...plain, id: 'p6', username: null, name: 'No Username', units: ['u1'], refused: 'username' },
  {
    ...plain,
    id: 'p7',
    username: 'badorder',
    name: 'Bad Order',
    units: ['u1'],
    order: 'first',
    lost: 'sort_order',
  },
  {
    ...plain,
    id: 'p8',
    username: 'badborn',
    name: 'Bad Born',
    units: ['u1'],
    born: '1990-02-30',
    lost: 'birthday',
  },
];

/** Enough for several pages and batches. */
const CROWD: readonly WorldPerson[] = Array.from({ length: 1_200 }, (_, index) => ({
  ...plain,
  id: `c${index}`,
  username: `crowd${index}`,
  name: `Crowd ${index}`,
  units: ['u7'],
}));

export const PEOPLE: readonly WorldPerson[] = [...NOTABLE, ...CROWD];

/** Rules of people without any of these. */
export const NO_MAPS = { properties: {}, tag_names: {}, source_identifiers: {}, positions: [] };

/** Rules of the world in three tables, whether they are of a database or of files. */
export const TABLE_RULES = {
  units: { id: 'id', parent: 'parent_id', fields: { name: 'name' } },
  people: {
    ...NO_MAPS,
    id: 'emp_no',
    username: 'LOGIN',
    active: { expr: "status != 'left'" },
    fields: { name: 'full_name', email: 'email', birthday: 'born', sort_order: 'sort_no' },
  },
  positions: { person: 'emp_no', unit: 'dept_id', job_title: 'job_title', primary: 'is_primary' },
};

/** The rows of these tables, columns in the order of their headers. */
export const TABLE_ROWS = {
  units: UNITS.map(({ id, parent, name }) => [id, parent, name]),
  people: PEOPLE.map((one) => [
    one.id,
    one.username,
    one.name,
    one.email,
    one.active ? 'active' : 'left',
    one.born,
    one.order,
  ]),
  positions: PEOPLE.flatMap(({ id, units, title }) =>
    units.map((unit, index) => [id, unit, index === 0 ? title : null, index === 0 ? '1' : '0']),
  ),
};

/** Settings of a source that has units and people of its own. */
export type Whole<S extends { readonly units?: unknown; readonly people?: unknown }> = Omit<
  S,
  'units' | 'people'
> & {
  readonly units: NonNullable<S['units']>;
  readonly people: NonNullable<S['people']>;
};
