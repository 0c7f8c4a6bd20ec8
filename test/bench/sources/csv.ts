import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, moveOf, newTitle, peopleOf, unitsOf, type Company, type CompanyPerson } from '../company.ts';
import { writePieces } from '../write-lines.ts';
import { scriptOf, type BenchSource, type OpenBenchSource } from './bench-source.ts';
import { PERSON_COLUMNS, personCells, TABLE_FIELDS, UNIT_COLUMNS, unitCells } from './tables.ts';

const rowOf = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`;

interface State {
  /** People up to this one have new titles. */
  readonly changed: number;
  readonly moved: boolean;
}

function* unitRows(company: Company, { moved }: State): Iterable<string> {
  yield rowOf(UNIT_COLUMNS);
  const { k: mover, to } = moveOf(company);
  for (const unit of unitsOf(company)) {
    const [code = null, parent = null, name = null] = unitCells(unit);
    yield rowOf([code, moved && unit.k === mover ? codeOf(to) : parent, name]);
  }
}

/** What the directory knows of a person, where HR and directory are two exports. */
const ACCOUNT_COLUMNS = ['emp_no', 'login', 'email'] as const;

const accountCells = ({ employeeNumber, username, mail }: CompanyPerson): readonly string[] => [
  employeeNumber,
  username,
  mail,
];

function* accountRows(company: Company): Iterable<string> {
  yield rowOf(ACCOUNT_COLUMNS);
  for (const person of peopleOf(company)) yield rowOf(accountCells(person));
}

function* personRows(company: Company, { changed }: State): Iterable<string> {
  yield rowOf(PERSON_COLUMNS);
  for (const person of peopleOf(company)) {
    yield rowOf(personCells(person, person.i <= changed ? newTitle(person.i) : person.title));
  }
}

interface Export extends Pick<BenchSource, 'change' | 'move' | 'stop' | 'floors'> {
  readonly units: string;
  readonly people: string;
  readonly doneFile: string;
}

/** Writes two files of an export, and the one that says that they are whole. */
function exportOf(company: Company, folder: string): Export {
  const [units, people, doneFile] = ['units.csv', 'people.csv', 'done'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let state: State = { changed: 0, moved: false };
  const write = (next: Partial<State>): Promise<void> => {
    state = { ...state, ...next };
    writePieces(units, unitRows(company, state));
    writePieces(people, personRows(company, state));
    writeFileSync(doneFile, '');
    return Promise.resolve();
  };
  void write({});
  return {
    units,
    people,
    doneFile,
    floors: [{ name: 'bare driver', command: 'node', args: [scriptOf('floors/csv-read'), units, people] }],
    change: (_, to) => write({ changed: to }),
    move: () => write({ moved: true }),
    stop: () => Promise.resolve(),
  };
}

export const openCsv: OpenBenchSource = (company, folder) => {
  const { units, people, doneFile, ...rest } = exportOf(company, folder);
  return Promise.resolve({
    name: 'csv',
    config: {
      type: 'csv',
      complete: { doneFile },
      units: { file: units, fields: TABLE_FIELDS.units },
      people: { file: people, fields: TABLE_FIELDS.people },
    },
    ...rest,
  });
};

/** The tree and the people from HR, usernames and mail from the export of a directory: each person has a partner. */
export const openJoined: OpenBenchSource = (company, folder) => {
  const accounts = join(folder, 'accounts.csv');
  writePieces(accounts, accountRows(company));
  const { units, people, doneFile, ...rest } = exportOf(company, folder);
  const part = { type: 'csv', complete: { doneFile } };
  return Promise.resolve({
    name: 'joined',
    parts: { hr: part, directory: part },
    config: {
      units: { from: 'hr', file: units, fields: TABLE_FIELDS.units },
      people: {
        from: 'hr',
        file: people,
        fields: { ...TABLE_FIELDS.people, username: 'directory.login', email: 'directory.email' },
        join: { from: 'directory', file: accounts, on: { emp_no: 'emp_no' } },
      },
    },
    ...rest,
    floors: rest.floors.map((floor) => ({ ...floor, args: [...floor.args, accounts] })),
  });
};
