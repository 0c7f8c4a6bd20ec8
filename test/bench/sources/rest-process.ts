import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, companyOf, moveOf, newTitle, peopleOf, personOf, unitsOf } from '../company.ts';
import { PERSON_COLUMNS, personCells, UNIT_COLUMNS, unitCells, type Cells } from './bench-source.ts';

/** Serves a company of so many people, and prints its address. Records are JSON from the start: a page costs little. */
const company = companyOf(Number(process.argv[2]));

const json = (columns: readonly string[], cells: Cells): string =>
  JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, cells[at]])));

const units = unitsOf(company).map((unit) => json(UNIT_COLUMNS, unitCells(unit)));
const people = Array.from(peopleOf(company), (person) => json(PERSON_COLUMNS, personCells(person)));

const CHANGES: Readonly<Record<string, (query: URLSearchParams) => void>> = {
  '/change': (query) => {
    for (let i = Number(query.get('from')); i <= Number(query.get('to')); i += 1)
      people[i - 1] = json(PERSON_COLUMNS, personCells(personOf(company, i), newTitle(i)));
  },
  '/move': () => {
    const { k, to } = moveOf(company);
    units[k - 1] = json(UNIT_COLUMNS, [codeOf(k), codeOf(to), `unit ${k}`]);
  },
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  CHANGES[pathname]?.(searchParams);
  const rows = pathname === '/units' ? units : people;
  const skip = Number(searchParams.get('skip'));
  const page = rows.slice(skip, skip + Number(searchParams.get('limit')));
  response.setHeader('content-type', 'application/json');
  response.end(`{"data":[${page.join(',')}],"total":${rows.length}}`);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
