import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { companyOf } from './company.ts';
import type { SourceName } from './results.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { SOURCES } from './sources/all.ts';
import { ROLLCALL, Workplace } from './workplace.ts';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

interface HeapNode {
  readonly callFrame: Frame;
  /** Bytes. */
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

const ROWS = 15;
const LOADER = new URL('allocations.js', import.meta.url).href;

/** Takes a profile of the processor and one of the heap, of runs in which nothing has changed, and prints their tops; `--full`: of full runs; `--load`: of the processor alone, of the initial load; `--move`: of a run in which a unit with a tenth of the people moves. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      people: { type: 'string', default: '10000' },
      source: { type: 'string', default: 'slapd' },
      folder: { type: 'string', default: 'build/profile' },
      full: { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      move: { type: 'boolean', default: false },
    },
  });
  rmSync(values.folder, { recursive: true, force: true });
  mkdirSync(values.folder, { recursive: true });
  const company = companyOf(Number(values.people));
  if (!(values.source in SOURCES)) throw new Error(`--source is one of: ${Object.keys(SOURCES).join(', ')}`);
  const source = await SOURCES[values.source as SourceName](company, values.folder);
  const sandbox = await startSandboxProcess(ROLLCALL);
  try {
    const workplace = new Workplace(values.folder);
    workplace.configure(sandbox.baseUrl, source);
    const profiled = ['--cpu-prof', `--cpu-prof-dir=${values.folder}`];
    await workplace.sync([], values.load ? profiled : []);
    if (values.load) {
      printCpu(values.folder);
      return;
    }
    workplace.letTimePass();
    if (values.move) await source.move();
    const args = values.full ? ['--full'] : [];
    await workplace.sync(args, profiled);
    if (values.move) {
      printCpu(values.folder);
      return;
    }
    const heap = join(values.folder, 'allocations.heapprofile');
    process.env['BENCH_ALLOCATIONS'] = heap;
    await workplace.sync(args, ['--import', LOADER]);
    printCpu(values.folder);
    printHeap(heap);
  } finally {
    await sandbox.stop();
    await source.stop();
  }
}

function printCpu(folder: string): void {
  const name = readdirSync(folder).find((file) => file.endsWith('.cpuprofile')) ?? '';
  const file = join(folder, name);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const sums = new Map<string, number>();
  samples.forEach((id, index) => add(sums, frames.get(id) ?? '', (timeDeltas[index] ?? 0) / 1000));
  sums.delete('(idle)');
  print(`processor, ms (${file})`, sums);
}

function printHeap(file: string): void {
  const { head } = JSON.parse(readFileSync(file, 'utf8')) as { readonly head: HeapNode };
  const sums = new Map<string, number>();
  const walk = ({ callFrame, selfSize, children }: HeapNode): void => {
    add(sums, placeOf(callFrame), selfSize / 2 ** 20);
    for (const child of children) walk(child);
  };
  walk(head);
  print(`allocated, MB (${file})`, sums);
}

function add(sums: Map<string, number>, place: string, value: number): void {
  sums.set(place, (sums.get(place) ?? 0) + value);
}

/** Returns "name file:line", without the folders above the project. */
function placeOf({ functionName, url, lineNumber }: Frame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const file = url.replace(/^.*\/(?=(?:node_modules|dist)\/)/u, '').replace(/^file:\/\//u, '');
  return `${name} ${file}:${lineNumber + 1}`;
}

function print(title: string, sums: ReadonlyMap<string, number>): void {
  const all = [...sums.values()].reduce((sum, value) => sum + value, 0);
  const table = new Table({ head: ['', '%', 'function'], style: { head: [], border: [] } });
  const top = [...sums].toSorted(([, one], [, other]) => other - one).slice(0, ROWS);
  for (const [place, value] of top) table.push([value.toFixed(1), ((100 * value) / all).toFixed(1), place]);
  process.stdout.write(`\n${title}: ${all.toFixed(0)} in all\n${table.toString()}\n`);
}

await main();
