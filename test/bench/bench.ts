import { parseArgs } from 'node:util';
import { printHead, printRow } from './print-row.ts';
import { machineNow, Recorder, SOURCE_NAMES, type SourceName } from './results.ts';
import { SOURCES } from './sources/all.ts';
import { tellStories } from './stories.ts';

interface Wanted {
  readonly sizes: readonly number[];
  readonly sources: readonly SourceName[];
  readonly rounds: number;
  readonly out: string;
}

function wanted(): Wanted {
  const { values } = parseArgs({
    options: {
      people: { type: 'string', default: '10000,100000' },
      sources: { type: 'string', default: SOURCE_NAMES.join(',') },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string', default: 'build/bench.json' },
    },
  });
  const names = values.sources.split(',').filter(Boolean);
  const sources = names.filter((name): name is SourceName =>
    (SOURCE_NAMES as readonly string[]).includes(name),
  );
  if (sources.length < names.length) throw new Error(`--sources takes ${SOURCE_NAMES.join(', ')}`);
  const { rounds, out } = values;
  const sizes = values.people.split(',').filter(Boolean).map(Number);
  return { sizes, sources, rounds: Number(rounds), out };
}

/** Returns the command as somebody else would type it: where the rows went does not matter. */
function commandOf(args: readonly string[]): string {
  const told = args.filter((arg, at) => !arg.startsWith('--out') && args[at - 1] !== '--out');
  return ['npm run bench', ...(told.length > 0 ? ['--'] : []), ...told].join(' ');
}

/** Measures each source at each size. What fails is printed, and the others go on. */
async function main(): Promise<void> {
  const { sizes, sources, rounds, out } = wanted();
  const command = commandOf(process.argv.slice(2));
  process.stdout.write(`${machineNow()}\n`);
  const recorder = new Recorder(out, command);
  for (const people of sizes) {
    for (const source of sources) {
      const size = people.toLocaleString('en');
      printHead(`${size} people from ${source}`);
      try {
        await tellStories({
          source,
          open: SOURCES[source],
          people,
          rounds,
          add: (row) => {
            recorder.add(row);
            printRow(row);
          },
        });
      } catch (error) {
        process.exitCode = 1;
        process.stdout.write(
          `  ^ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
        );
      }
    }
  }
  process.stdout.write(`\nrows are in ${out}\n`);
}

await main();
