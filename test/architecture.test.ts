import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** `rooms` and `packages` that a room may import; type imports count too. `node:` stands for Node's own modules. */
interface Allowed {
  readonly rooms: readonly string[];
  /** Single files of other rooms. */
  readonly files?: readonly string[];
  readonly packages: readonly string[];
}

/** Imports point down. A room that is not listed may not exist. */
const ROOMS: Readonly<Record<string, Allowed>> = {
  main: { rooms: ['commands', 'domain'], packages: [] },
  commands: {
    rooms: ['app', 'console', 'report', 'runtime', 'config', 'http', 'plan', 'page', 'domain', 'interface'],
    files: [
      'src/lib/packaged-file.ts',
      'src/lib/suggest.ts',
      'src/lib/replace-file.ts',
      'src/lib/secret-in.ts',
      'src/lib/digest.ts',
    ],
    packages: ['commander', 'node:'],
  },
  app: {
    rooms: [
      'runtime',
      'config',
      'source',
      'service',
      'ledger',
      'sync',
      'notify',
      'page',
      'plan',
      'domain',
      'lib',
    ],
    packages: ['node:'],
  },
  console: { rooms: ['http', 'report', 'page', 'plan', 'domain'], packages: ['fastify', 'node:'] },
  report: { rooms: ['runtime', 'plan', 'domain'], packages: [] },
  notify: { rooms: ['domain', 'lib'], packages: ['nodemailer', 'node:'] },
  http: { rooms: ['callback', 'domain', 'lib'], packages: ['fastify', 'prom-client', 'node:'] },
  runtime: { rooms: ['domain'], packages: ['pino', 'node-cron', 'node:'] },
  config: {
    rooms: ['callback', 'schema', 'domain'],
    // What each kind of source takes stands in its own folder.
    files: [
      'src/source/kinds.ts',
      'src/source/records/kind.ts',
      'src/lib/suggest.ts',
      'src/lib/secret-in.ts',
    ],
    packages: ['zod', 'yaml', 'node-cron', 'node:'],
  },
  schema: { rooms: ['domain'], files: ['src/lib/suggest.ts'], packages: ['zod'] },
  source: {
    rooms: ['schema', 'domain', 'lib'],
    packages: [
      'zod',
      'ldapts',
      'pg',
      'mysql2',
      'mssql',
      'oracledb',
      'better-sqlite3',
      'csv-parse',
      'undici',
      '@marcbachmann/cel-js',
      're2js',
      'libphonenumber-js',
      'node:',
    ],
  },
  service: {
    rooms: ['domain', 'lib', 'interface'],
    packages: ['undici', 'node:', 'rate-limiter-flexible', '@redis/client', 'pg'],
  },
  interface: { rooms: [], packages: [] },
  callback: { rooms: ['domain'], files: ['src/lib/parse-lossless.ts'], packages: ['node:'] },
  ledger: { rooms: ['domain', 'lib'], packages: ['better-sqlite3', 'node:'] },
  sync: { rooms: ['plan', 'domain', 'lib'], packages: [] },
  plan: { rooms: ['domain'], files: ['src/lib/digest.ts', 'src/lib/suggest.ts'], packages: [] },
  page: { rooms: ['plan', 'domain', 'lib'], packages: ['node:'] },
  domain: { rooms: [], packages: [] },
  lib: { rooms: [], packages: ['fastest-levenshtein', 'p-limit', 'csv-parse', 'undici', 'node:'] },
  sandbox: {
    rooms: ['interface'],
    files: ['src/domain/text/printable.ts', 'src/page/markup.ts'],
    packages: ['better-sqlite3', 'node:'],
  },
  demo: { rooms: ['sandbox', 'app', 'runtime', 'domain'], packages: ['better-sqlite3', 'node:'] },
};

/** Single files that may import one room more. */
const EXCEPTIONS: Readonly<Record<string, string>> = { 'src/commands/sandbox.ts': 'sandbox' };

interface Import {
  readonly from: string;
  /** File below `src`, or the package's name, or `node:`. */
  readonly to: string;
  readonly room: string | null;
  readonly circular: boolean;
  readonly resolved: boolean;
}

interface Picture {
  readonly modules: readonly string[];
  readonly imports: readonly Import[];
}

const roomOf = (file: string): string => /^src\/([^/.]+)/u.exec(file)?.[1] ?? file;

/** `@scope/name/deep` → `@scope/name`, `fs/promises` → `node:`. */
function packageOf(module: string): string {
  if (isBuiltin(module)) return 'node:';
  if (module.startsWith('.')) return module;
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

async function look(baseDir: string): Promise<Picture> {
  const { output } = await cruise(
    ['src'],
    { baseDir, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
    { extensions: ['.ts'], exportsFields: ['exports'], conditionNames: ['import', 'types', 'node'] },
  );
  const { modules } = output as ICruiseResult;
  const own = modules.filter(({ source }) => source.startsWith('src/'));
  const imports = own.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved, module, circular, couldNotResolve }): Import => {
      const inside = resolved.startsWith('src/');
      const to = inside ? resolved : packageOf(module);
      return { from: source, to, room: inside ? roomOf(to) : null, circular, resolved: !couldNotResolve };
    }),
  );
  return { modules: [...new Set(own.map(({ source }) => source))].toSorted(), imports };
}

function allows({ from, to, room }: Import): boolean {
  const own = roomOf(from);
  if (room === own || (room !== null && EXCEPTIONS[from] === room)) return true;
  const allowed = ROOMS[own];
  if (allowed === undefined) return false;
  if (room === null) return allowed.packages.includes(to);
  return allowed.rooms.includes(room) || allowed.files?.includes(to) === true;
}

function violations({ imports }: Picture): readonly string[] {
  const wrong = imports.flatMap((one) => [
    ...(allows(one) ? [] : [`${one.from} imports ${one.to}`]),
    ...(one.circular ? [`${one.from} and ${one.to} import each other`] : []),
    ...(one.resolved ? [] : [`${one.from} imports ${one.to}, which is not there`]),
  ]);
  return [...new Set(wrong)].toSorted();
}

/** Folders of one room that import each other, over others too; a room's own files are a folder of it. */
function circlesOfFolders({ imports }: Picture): readonly string[] {
  const below = new Map<string, Set<string>>();
  for (const { from, to, room } of imports) {
    const [here, there] = [dirname(from), dirname(to)];
    if (room !== roomOf(from) || here === there) continue;
    below.set(here, (below.get(here) ?? new Set()).add(there));
  }
  const reached = (start: string): ReadonlySet<string> => {
    const seen = new Set(below.get(start));
    for (const folder of seen) for (const next of below.get(folder) ?? []) seen.add(next);
    return seen;
  };
  return [...below.keys()].filter((folder) => reached(folder).has(folder)).toSorted();
}

describe('the rooms of src', () => {
  let picture: Picture;

  beforeAll(async () => {
    picture = await look(process.cwd());
  });

  test('are seen with every file', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[jt]s$/u.test(file))
      .map((file) => `src/${file}`)
      .toSorted();
    expect(files.length).toBeGreaterThan(100);
    expect(picture.modules).toEqual(files);
  });

  test('import down only, and nothing in a circle', () => {
    expect(violations(picture)).toEqual([]);
  });

  test('have folders that import each other in one direction', () => {
    expect(circlesOfFolders(picture)).toEqual([]);
  });

  test('decide without words: they are said where something is listed or shown', () => {
    const decides = /^src\/(?:domain\/(?!words\/)|plan\/(?!words\/)|ledger\/|source\/|service\/)/u;
    const says = picture.imports.filter(
      ({ from, to }) => decides.test(from) && to.startsWith('src/domain/words/'),
    );
    expect(says.map(({ from }) => from)).toEqual([]);
  });

  test('are all in the table, and all of the table exist', () => {
    const rooms = new Set(picture.modules.map(roomOf));
    expect([...rooms].toSorted()).toEqual(Object.keys(ROOMS).toSorted());
  });
});

describe('a violation', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rollcall-rooms-')));
  let seen: readonly string[];

  const FILES: Readonly<Record<string, string>> = {
    'src/domain/unit.ts': `import type { Stats } from 'node:fs';\nexport type Unit = Stats;\n`,
    'src/domain/a.ts': `import { b } from './b.ts';\nexport const a = () => b;\n`,
    'src/domain/b.ts': `import { a } from './a.ts';\nexport const b = () => a;\n`,
    'src/plan/up.ts': `import type { Run } from '../sync/run.ts';\nexport type Up = Run;\n`,
    'src/sync/run.ts': `export { connect } from '../service/client.ts';\nexport interface Run { x: 1 }\n`,
    'src/service/client.ts': `export async function connect() {\n  return import('../ledger/file.ts');\n}\n`,
    'src/ledger/file.ts': `import { run } from '@scope/pkg/deep';\nexport const file = run;\n`,
    'src/sandbox/world.ts': `import type { Unit } from '../domain/unit.ts';\nexport type World = Unit;\n`,
    'src/utils.ts': `export const x = 1;\nexport { a } from './domain/a.ts';\n`,
    'src/lib/gone.ts': `export * from './missing.ts';\n`,
    'src/commands/run.ts': `export type { World } from '../sandbox/world.ts';\n`,
    'src/commands/sandbox.ts': `export type { World } from '../sandbox/world.ts';\n`,
  };

  beforeAll(async () => {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    seen = violations(await look(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is seen: upwards, sideways, by type, by re-export, at run time, in a circle, into the void', () => {
    expect(seen).toEqual([
      'src/commands/run.ts imports src/sandbox/world.ts',
      'src/domain/a.ts and src/domain/b.ts import each other',
      'src/domain/b.ts and src/domain/a.ts import each other',
      'src/domain/unit.ts imports node:',
      'src/ledger/file.ts imports @scope/pkg',
      'src/ledger/file.ts imports @scope/pkg, which is not there',
      'src/lib/gone.ts imports ./missing.ts',
      'src/lib/gone.ts imports ./missing.ts, which is not there',
      'src/plan/up.ts imports src/sync/run.ts',
      'src/sandbox/world.ts imports src/domain/unit.ts',
      'src/service/client.ts imports src/ledger/file.ts',
      'src/sync/run.ts imports src/service/client.ts',
      'src/utils.ts imports src/domain/a.ts',
    ]);
  });
});
