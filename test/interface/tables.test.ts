import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/interface/operations/operations.ts';
import { MESSAGE_BODIES, type MessageType } from '../../src/interface/operations/push.ts';
import {
  DATA_SCHEMA,
  EMPLOYEE,
  EMPLOYEE_RESULT,
  NODE,
  USER,
} from '../../src/interface/operations/directory-records.ts';
import { COMPRESSED, MEDIA_INFO, TRANSLATION } from '../../src/interface/operations/media.ts';
import { DATE_PERIOD, SCHEDULE } from '../../src/interface/operations/schedules.ts';
import { PUSH_RESULT, TEMPLATE, TEMPLATE_PUSH_PLAN } from '../../src/interface/operations/templates.ts';
import type { Field, Fields } from '../../src/interface/field.ts';
import { ERROR_CODES, LIMITS, type Operation } from '../../src/interface/operation.ts';
import { bodyOf, differences, lineDifferences, sorted, tableDifferences } from './compare.ts';
import { mentionsOf, sectionOf, tablesOf, type Mention, type Row } from './document.ts';

const [pushQuery = [], pushBody = [], messageBodies = []] = tablesOf(sectionOf('### Message push'));
const employeeBody = tableWith('### Employees');
const scheduleBody = tableWith('### Schedules');

/** The section's table of the fields of a body. */
function tableWith(heading: string): readonly Row[] {
  return tablesOf(sectionOf(heading)).find((table) => table[0]?.['Field'] !== undefined) ?? [];
}

function cellOf(table: readonly Row[], field: string): string {
  return table.find((row) => row['Field'] === field)?.['Meaning'] ?? '';
}

function messageFields(type: string): string {
  return messageBodies.find((row) => row['type'] === type)?.['body fields'] ?? '';
}

/** Remarks on the parts of a field: `Tag: group (String, req), …`, up to the sentence after it. */
function partsIn(field: string): readonly Mention[] {
  const meaning = cellOf(employeeBody, field);
  return mentionsOf(meaning.replace(/^.*?\b(?:Tag|Position|Property): /u, '').replace(/\. .*$/u, ''));
}

function insideOf(fields: Fields, name: string): Fields {
  const field = fields[name];
  return field?.kind === 'list' && field.of.kind === 'record' ? field.of.fields : {};
}

describe('tables of fields', () => {
  test('query and body of a push', () => {
    expect(tableDifferences(pushQuery, OPERATIONS.pushMessage.query)).toEqual([]);
    expect(tableDifferences(pushBody, OPERATIONS.pushMessage.body.of.fields)).toEqual([]);
    const defaults = pushQuery.map(({ Name: name, Meaning: words = '' }) => [
      name,
      /`(\w+)` \(default\)|^default (\w+)/u
        .exec(words)
        ?.slice(1)
        .find((value) => value !== undefined),
    ]);
    const { query } = OPERATIONS.pushMessage;
    const own = Object.entries(query).map(([name, { default: value }]) => [name, String(value)]);
    expect(own).toEqual(defaults.slice(1));
  });

  test('bodies of an employee: create, import, modify', () => {
    const created = bodyOf(OPERATIONS.createEmployee.body);
    const except = { ops: 'import only', username: '"Y on create/import"' };
    expect(tableDifferences(employeeBody, created, except)).toEqual([]);
    expect(created['username']).toMatchObject({ kind: 'text', required: true });
    const { ops, properties, ...imported } = bodyOf(OPERATIONS.importEmployees.body);
    expect([ops, properties?.kind]).toEqual([{ kind: 'text' }, 'list']);
    expect({ ...imported, properties: created['properties'] }).toEqual(created);
    const modified = bodyOf(OPERATIONS.modifyEmployee.body);
    const lacking = Object.keys(created).filter((name) => !Object.hasOwn(modified, name));
    const said = employeeBody.filter(({ Req: req, Meaning: words }) =>
      /create\/import/u.test(`${req} ${words}`),
    );
    expect(sorted(lacking)).toEqual(sorted(said.map((row) => row['Field'])));
    const [, without = ''] = /\(no ([\w, ]+)\)/u.exec(sectionOf('### Employees')) ?? [];
    expect(sorted(lacking)).toEqual(sorted(without.split(', ')));
  });

  test.each(['positions', 'tag_names', 'properties'])('elements of the %s of an employee', (name) => {
    const said = partsIn(name);
    expect(said.length).toBeGreaterThan(1);
    expect(lineDifferences(said, insideOf(bodyOf(OPERATIONS.importEmployees.body), name))).toEqual([]);
  });

  test('bodies of schedules', () => {
    const created = bodyOf(OPERATIONS.createSchedule.body);
    expect(tableDifferences(scheduleBody, created)).toEqual([]);
    const repeats = Array.from(
      cellOf(scheduleBody, 'repeat_type').matchAll(/`(\w+)`/gu),
      ([, value]) => value,
    );
    expect(OPERATIONS.createSchedule.body.of.fields.repeat_type.values).toEqual(repeats);
    const [, said = ''] = /^Modify body: (.*?)\. Result:/mu.exec(sectionOf('### Schedules')) ?? [];
    const [must = '', may = ''] = said.split('; optional ');
    const required = mentionsOf(must).map(({ name }) => ({ name, remarks: 'req' }));
    const modified = bodyOf(OPERATIONS.modifySchedule.body);
    expect(lineDifferences([...required, ...mentionsOf(may)], modified)).toEqual([]);
  });

  test.each(
    messageBodies.filter((row) => row['type'] !== 'rich_text').map((row) => [row['type'] ?? '', row]),
  )('body of a message of type %s', (type, row) => {
    const { fields } = MESSAGE_BODIES[type as Exclude<MessageType, 'rich_text'>] as {
      readonly fields: Fields;
    };
    const said = mentionsOf((row['body fields'] ?? '').replaceAll(/\{[^}]*\}|; each element.*/gu, ''));
    expect(lineDifferences(said, fields)).toEqual([]);
    expect(said.flatMap((one) => differences(one, fields[one.name] ?? { kind: 'json' }))).toEqual([]);
  });

  test('parts of an article and of the data of a template message', () => {
    const article = /each element: (.*)$/u.exec(messageFields('article'))?.[1] ?? '';
    expect(lineDifferences(mentionsOf(article), insideOf(MESSAGE_BODIES.article.fields, 'articles'))).toEqual(
      [],
    );
    const data = /list of \{(.*?)\}/u.exec(messageFields('template'))?.[1]?.split(', ') ?? [];
    const named = data.map((part) => ({ name: part.split(':')[0] ?? '', remarks: '' }));
    expect(lineDifferences(named, insideOf(MESSAGE_BODIES.template.fields, 'data'))).toEqual([]);
  });
});

describe('records of the section Resources', () => {
  test.each([
    ['Template', TEMPLATE.fields],
    [
      'Template push plan (result of pushing a template message with the template-only request form)',
      TEMPLATE_PUSH_PLAN.fields,
    ],
    ['Application message push result', PUSH_RESULT.fields],
    ['Organization node', NODE.fields],
    ['Schedule (user schedule record)', SCHEDULE.fields],
    ['Employee (list / view record)', EMPLOYEE.fields],
    ['Employee (result of create, get one, modify, import record)', EMPLOYEE_RESULT.fields],
  ] as const)('%s', (heading, fields) => {
    const [table = []] = tablesOf(sectionOf(`### ${heading}`));
    expect(tableDifferences(table, fields)).toEqual([]);
  });

  test.each([
    [
      '### Employee (list / view record)',
      /^Position \(in list\/view\): (.*?), display_nodes .*, full_name_path, org_name\.$/mu,
      Object.fromEntries(Object.entries(insideOf(EMPLOYEE.fields, 'positions')).slice(0, -3)),
    ],
    ['### User', /^Fields: (user_id.*)\.$/mu, USER.fields],
    ['### Media info', /^Fields: (id .*)\.$/mu, MEDIA_INFO.fields],
    ['### Employee (list / view record)', /^DataSchema: (.*)\.$/mu, DATA_SCHEMA.fields],
    ['### Schedule (user schedule record)', /^DatePeriod: (.*)\.$/mu, DATE_PERIOD.fields],
  ] as const)('a line below %s', (heading, line, fields) => {
    const said = mentionsOf(line.exec(sectionOf(heading))?.[1] ?? '');
    expect(lineDifferences(said, fields)).toEqual([]);
  });

  test('results of Translate and Compress', () => {
    const names = [TRANSLATION, COMPRESSED, COMPRESSED.fields.thumb_media].flatMap(({ fields }) =>
      Object.keys(fields),
    );
    const text = sectionOf('### Media');
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });
});

test('codes of errors, and who raises them', () => {
  const errors = tablesOf(sectionOf('## Errors'))[0] ?? [];
  expect(sorted(errors.map((row) => row['status']))).toEqual(sorted(Object.keys(ERROR_CODES)));
  const rows: readonly Operation[] = Object.values(OPERATIONS);
  const raisedBy = errors.map(({ status, ['Raised by']: by }) => [
    by,
    rows.filter((row) => row.errors.includes(Number(status))).map(({ title }) => title),
  ]);
  expect(raisedBy).toEqual([
    ['every operation', []],
    ['message push', ['Message push']],
    ['delete organization node', ['Delete node']],
    ['delete organization node', ['Delete node']],
  ]);
});

test('limits', () => {
  const limits = Object.fromEntries(
    (tablesOf(sectionOf('## Limits'))[0] ?? []).map((row) => [row['Limit'], row['Value']]),
  );
  const fields: Fields = OPERATIONS.compressImage.body.fields;
  const defaults = Object.entries(fields).flatMap(([name, field]: [string, Field]) =>
    field.default === undefined ? [] : [`${name} ${String(field.default)}`],
  );
  expect(limits).toMatchObject({
    'direct push audience': `up to ${LIMITS.directPeople} people`,
    'button rows': `at most ${LIMITS.buttonRows}`,
    'buttons per row': `at most ${LIMITS.buttonsPerRow}`,
    'video cover image': `keep within ${LIMITS.coverBytes / 1024} KB`,
    'paging defaults': `skip ${LIMITS.skip}, limit ${LIMITS.limit}`,
    'compress defaults': defaults.join(', ').replace('20480', '20480 bytes'),
  });
});
