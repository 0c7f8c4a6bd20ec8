import type { SourceName } from '../results.ts';
import type { OpenBenchSource } from './bench-source.ts';
import { openCsv } from './csv.ts';
import { openPostgres } from './postgres.ts';
import { openRest } from './rest.ts';
import { openSlapd } from './slapd.ts';

export const SOURCES: Readonly<Record<SourceName, OpenBenchSource>> = {
  slapd: openSlapd,
  postgres: openPostgres,
  csv: openCsv,
  rest: openRest,
};
