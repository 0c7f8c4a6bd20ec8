import { normalize } from 'node:path';

import { digest } from '../../lib/digest.ts';
import { pathOf, type CsvSettings } from './kind.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import { AT_LEAST_PERCENT, type SourceMark, type SourcePart } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/reading/source-identity.ts';
import { stopped } from '../connect/network-problem.ts';
import { PLAIN_DIALECT, type Dialect } from '../mapping/rules/scope.ts';
import { compileParts, type RowsSource, type SourceContext } from '../records/source-context.ts';
import { idRuleOf, PlannedRead, plansOf, sourceOf, type Plan, type Plans } from '../records/planned-read.ts';
import { incomingRecords, type IncomingRecord } from '../records/mapped.ts';
import { CsvFiles, type WantedFile } from './csv-files.ts';
import { ENCODINGS } from './text-blocks.ts';
import { marksOf, requireUsable } from './file-end.ts';
import { readRows } from './read-rows.ts';

const CSV_DIALECT: Dialect = { ...PLAIN_DIALECT, leaveOut: () => 'in the export' };

/** The file of one part. */
interface FileAsk {
  readonly part: SourcePart['part'];
}

/** Returns CSV files as a source. Compiles the rules: throws a `ConfigError`. */
export function csvSource(settings: CsvSettings, context: SourceContext): RowsSource {
  const isPrinted = wantedFiles(settings).some(({ command }) => command !== undefined);
  requireUsable(settings.complete, isPrinted);
  const { units, people } = settings;
  const { clock } = context;
  const [unitId, personId] = [idRuleOf(units), idRuleOf(people)];
  const identity = spellIdentity({ kind: 'csv', place: placeOf(settings), unitId, personId });
  const plans = plansOf<FileAsk>(compileParts(settings, CSV_DIALECT, context), (part) => ({
    part: part === 'rows' ? 'partners' : part,
  }));
  const open = async (signal: AbortSignal): Promise<CsvRead> => {
    if (signal.aborted) throw stopped();
    const at = new Date(clock.now());
    const { complete } = settings;
    const files = await CsvFiles.open({ wanted: wantedFiles(settings), complete, clock, signal });
    return new CsvRead({ settings, plans, at, signal }, files);
  };
  return sourceOf(settings, context, { decides: ['csv', settings.encoding], identity, plans, open });
}

/** Returns the paths, and what tells the arguments of a program: they are what tells one export from another. */
function placeOf(settings: CsvSettings): string {
  return wantedFiles(settings)
    .map(({ path, command }) => `${normalize(path)}${digestOf(command)}`)
    .join(', ');
}

const digestOf = (command: WantedFile['command']): string =>
  command === undefined ? '' : ` ${digest(command.join('\n')).slice(0, 8)}`;

function wantedFiles({ units, people, positions, rows }: CsvSettings): readonly WantedFile[] {
  const parts = { units, people, positions, partners: rows };
  return Object.entries(parts).flatMap(([part, asked]) => {
    if (asked === undefined) return [];
    const { command } = asked;
    const place = `${'path' in asked ? asked.path : `source.${part}`}.${command ? 'command' : 'file'}`;
    return [{ part: part as SourcePart['part'], place, path: pathOf(asked), command }];
  });
}

interface CsvContext {
  readonly settings: CsvSettings;
  readonly plans: Plans<FileAsk>;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** One read, with all files open from its beginning to its end. */
class CsvRead extends PlannedRead<FileAsk> {
  readonly #context: CsvContext;
  readonly #files: CsvFiles;

  constructor(context: CsvContext, files: CsvFiles) {
    super(context.plans);
    this.#context = context;
    this.#files = files;
  }

  async *incoming<T>({ part, mapper }: Plan<FileAsk, T>): AsyncGenerator<Iterable<IncomingRecord<T>>> {
    const progress = this.beginPart(part);
    const { settings, at, signal } = this.#context;
    const reading = { format: settings, complete: settings.complete, columns: mapper.columns, at, signal };
    for await (const rows of readRows(this.#files, this.#files.get(part), reading, progress)) {
      yield incomingRecords(rows, mapper);
    }
  }

  ownEvidence(): SourceEvidence {
    const parts = this.parts.map((part) => ({ ...part, atLeastPercent: AT_LEAST_PERCENT }));
    const snapshot = `files written until ${this.#files.writtenAt}, unchanged while they were read`;
    return { type: 'csv', snapshot, parts, unknown: [] };
  }

  async marks(): Promise<readonly SourceMark[]> {
    const { settings, at } = this.#context;
    const marks: SourceMark[] = [];
    for (const file of this.#files.all)
      marks.push(...(await marksOf(file, settings.complete, { encoding: ENCODINGS[settings.encoding], at })));
    return marks;
  }

  async close(): Promise<void> {
    await this.#files.close();
  }
}
