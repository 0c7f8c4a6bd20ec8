import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, moveOf, newTitle, peopleOf, unitsOf, type Company } from '../company.ts';
import { writePieces } from '../write-lines.ts';
import {
  PERSON_COLUMNS,
  personCells,
  scriptOf,
  TABLE_FIELDS,
  UNIT_COLUMNS,
  unitCells,
  type Cells,
  type OpenBenchSource,
} from './bench-source.ts';

const rowOf = (cells: Cells): string =>
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

function* personRows(company: Company, { changed }: State): Iterable<string> {
  yield rowOf(PERSON_COLUMNS);
  for (const person of peopleOf(company)) {
    yield rowOf(personCells(person, person.i <= changed ? newTitle(person.i) : person.title));
  }
}

/** Two files of an export, and the one that says that they are whole. */
export const openCsv: OpenBenchSource = (company, folder) => {
  const fileOf = (name: string): string => join(folder, name);
  const [units, people, doneFile] = [fileOf('units.csv'), fileOf('people.csv'), fileOf('done')];
  let state: State = { changed: 0, moved: false };
  const write = (next: Partial<State>): Promise<void> => {
    state = { ...state, ...next };
    writePieces(units, unitRows(company, state));
    writePieces(people, personRows(company, state));
    writeFileSync(doneFile, '');
    return Promise.resolve();
  };
  void write({});
  return Promise.resolve({
    name: 'csv',
    config: {
      type: 'csv',
      complete: { doneFile },
      units: { file: units, fields: TABLE_FIELDS.units },
      people: { file: people, fields: TABLE_FIELDS.people },
    },
    floors: [{ name: 'bare driver', command: 'node', args: [scriptOf('floors/csv-read'), units, people] }],
    change: (_, to) => write({ changed: to }),
    move: () => write({ moved: true }),
    stop: () => Promise.resolve(),
  });
};
