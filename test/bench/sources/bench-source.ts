import type { Company } from '../company.ts';
import type { FloorName, SourceName } from '../results.ts';

/** A process that reads the same records and does nothing with them. */
export interface ReadFloor {
  readonly name: Exclude<FloorName, 'bare posts'>;
  /** A script for Node, or a program. */
  readonly command: 'node' | 'ldapsearch';
  readonly args: readonly string[];
}

/** A server that holds a company, or its files. */
export interface BenchSource {
  readonly name: SourceName;
  /** Section `source` of the configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Section `sources`; absent: there is one source alone. */
  readonly parts?: Readonly<Record<string, unknown>>;
  readonly floors: readonly ReadFloor[];
  /** Gives people `from` to `to` other titles. */
  change(from: number, to: number): Promise<void>;
  /** Puts a unit with a tenth of the people below another one. */
  move(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server, empty folder and all, and fills it. */
export type OpenBenchSource = (company: Company, folder: string) => Promise<BenchSource>;

/** Path of a script beside the bench, as JavaScript. */
export const scriptOf = (name: string): string => new URL(`../${name}.js`, import.meta.url).pathname;

/** Fields that every source maps, by the name that it has for each. */
export function personFields(names: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { unit = 'unit', second = 'second', title = 'title', ...fields } = names;
  return { ...fields, positions: [{ unit, job_title: title, primary: { const: true } }, { unit: second }] };
}
