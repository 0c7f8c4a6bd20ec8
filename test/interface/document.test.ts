import { describe, expect, test } from 'vitest';
import { OPERATIONS, rowOf, type OperationName } from '../../src/interface/operations/operations.ts';
import { partsOf, type Operation } from '../../src/interface/operation.ts';
import { differences, fieldsOf } from './compare.ts';
import { mentionsOf, sectionOf, tablesOf, type Mention, type Row } from './document.ts';

const ALL = Object.entries(OPERATIONS) as readonly [OperationName, Operation][];

/** Where the document says less, more or otherwise than a table can: operation, name, reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  templateDetail: {
    category_id: '"may be empty" stands in one pair of brackets with source_type',
    app_id: 'its name in the other operations',
  },
  modifyTemplate: { source_type: '"as above"' },
  listEmployees: {
    true: 'the value of recursion in a sample',
    id: 'a value of type',
    boolean: 'the type of matching',
    org_id: '"also seen in samples"',
    recursion: '"also seen in samples"',
  },
  uploadImage: { image: 'a word of the remark on file_type' },
  uploadFile: { file_digest: 'the type after it is that of file_metadata' },
  uploadImageForm: {
    height: '"the parameter table names it height"',
    file_type: '"plus file_type", without a place: in the form',
    file: 'the part',
    name: 'the name of the file',
  },
  uploadFileForm: { filename: 'without a place: in the form', file: 'the part' },
  viewImage: {
    height: 'as where images are uploaded',
    width: 'the default after it is that of rotate',
    heigh: 'the default after it is that of rotate',
  },
  searchUsers: { name: 'a word of a remark', initials: 'a word of a remark' },
};

/** Words of the interface's sentences that are no names of fields. */
const NO_NAMES = new Set(
  (
    'access_token code org_code none body path below above only all bodies reference ' +
    'JSON multipart optional ids create'
  ).split(' '),
);

const SECTIONS = ['Message templates', 'Employees', 'Organizations', 'Media', 'Schedules', 'Users'] as const;
const BASES: Readonly<Record<string, string>> = {
  Employees: '/v1/admin/organizations/{code}',
  Organizations: '/v1/admin/organizations',
};

interface Told {
  readonly section: string;
  readonly row: Row;
}

const TOLD: readonly Told[] = SECTIONS.flatMap((section) =>
  tablesOf(sectionOf(`### ${section}`))
    .flat()
    .filter((row) => row['Operation'] !== undefined)
    .map((row) => ({ section, row })),
);

function tellingOf({ section, title }: Operation): Told | undefined {
  return TOLD.find((told) => told.section === section && told.row['Operation'] === title);
}

/** What the document says of an operation's inputs, with all its places in one line. */
function inputsOf(name: OperationName, row: Row): string {
  if (name === 'compressImage') return /^Compress inputs: (.*)\.$/mu.exec(sectionOf('### Media'))?.[1] ?? '';
  return [row['Query'] ?? '', row['Body'] ?? '', row['Inputs'] ?? ''].join('; ');
}

/** Words before the names: `query: `, `also seen in samples: `, `the reference lists also appId has`. */
const LEADS = /^(?:query|body): |(?<=; )(?:query|body): |(?:also|the reference).* (?:samples:|has)/gu;

test('there are 39 operations, and the document tells of each', () => {
  expect(ALL).toHaveLength(39);
  expect(TOLD).toHaveLength(38);
  const untold = ALL.filter(([, operation]) => tellingOf(operation) === undefined).map(([name]) => name);
  expect(untold).toEqual(['pushMessage']);
  expect(sectionOf('### Message push')).toContain('POST `/v1/apps/mbox`');
  expect([OPERATIONS.pushMessage.method, OPERATIONS.pushMessage.path]).toEqual(['POST', '/v1/apps/mbox']);
});

describe.each(ALL.filter(([name]) => name !== 'pushMessage'))('%s', (name, operation) => {
  const { section, row } = tellingOf(operation) ?? { section: '', row: {} };
  const excepted = EXCEPTIONS[name] ?? {};
  const inputs = inputsOf(name, row);
  const said = new Map<string, Mention>();
  for (const mention of mentionsOf(inputs.replaceAll(LEADS, ''))) said.set(mention.name, mention);
  const fields = fieldsOf(operation);

  test('has the method and path of the document', () => {
    const cell = row['Method and path'] ?? '';
    const [, method, rest = ''] = /^(\w+) `([^`]+)`/u.exec(cell) ?? [];
    expect([operation.method, operation.path]).toEqual([method, (BASES[section] ?? '') + rest]);
    const older = /or `([^`]+)`/u.exec(cell)?.[1];
    expect(operation.older).toBe(older === undefined ? undefined : `${BASES[section]}${older}`);
  });

  test('has types, defaults and what is required as it says', () => {
    const known = [...said.values()].filter((mention) => excepted[mention.name] === undefined);
    const wrong = known.flatMap((mention) => {
      const field = fields[mention.name];
      return field === undefined ? [] : differences(mention, field);
    });
    expect(wrong).toEqual([]);
  });

  test('has no field of which the document does not speak there', () => {
    const elsewhere = /create fields|create bodies|same fields|body below/u.test(inputs);
    const where = elsewhere || section === 'Schedules' ? sectionOf(`### ${section}`) : inputs;
    const parts = new Set(partsOf(operation.path));
    const silent = Object.keys(fields).filter((field) => !parts.has(field) && !where.includes(field));
    expect(silent.filter((field) => excepted[field] === undefined)).toEqual([]);
  });

  test('lacks no field of which the document speaks there', () => {
    const names = [...said.keys()].filter((field) => /^[a-z]/u.test(field) && !NO_NAMES.has(field));
    const lacking = names.filter((field) => !Object.hasOwn(fields, field));
    expect(lacking.filter((field) => excepted[field] === undefined)).toEqual([]);
  });
});

test('only schedules need an application', () => {
  const needing = ALL.filter(([, { identity }]) => identity === 'application');
  expect(needing.map(([, { section }]) => section)).toEqual(['Schedules', 'Schedules', 'Schedules']);
});

test('rowOf knows no name that only objects have', () => {
  expect(rowOf('listEmployees')).toBe(OPERATIONS.listEmployees);
  expect([rowOf('toString'), rowOf('__proto__')]).toEqual([undefined, undefined]);
});
