import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RefusedError, ServiceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { but } from '../doubles/service-parts.ts';
import { NO_GUARD } from '../plan/build.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import type { Told } from './said.ts';
import {
  at,
  ofUnits,
  openWorld,
  person,
  unit,
  type SyncOptions,
  type World,
  type WorldOptions,
} from './world.ts';

const png = (words: string): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(words)]);
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const PEOPLE = ['a', 'b', 'c'].map((id) => person(id, { positions: [at(id)] }));
const CALLS = { changed: 'modifyOrganization*3', renamed: 'modifyOrganization' };

/** A world whose units have pictures, and a stand-in for the media of the service. */
class Stage {
  readonly world: World;
  readonly folder: string;
  refuses: Error | null = null;
  readonly #kept: string[] = [];
  #uploaded: string[] = [];

  constructor(world: World, folder: string) {
    this.world = world;
    this.folder = folder;
  }

  /** The same bytes are the same media. */
  readonly through = but({
    uploadImage: async ({ path, digest }) => {
      this.#uploaded.push(digest);
      if (this.refuses !== null) throw this.refuses;
      if (md5(readFileSync(path)) !== digest) throw new Error('the file has another digest');
      if (!this.#kept.includes(digest)) this.#kept.push(digest);
      return `media-${this.#kept.indexOf(digest) + 1}`;
    },
  });

  put(name: string, words = name): string {
    writeFileSync(join(this.folder, name), png(words));
    return join(this.folder, name);
  }

  /** Runs, and expects these uploads by their words, and these logos. */
  async run(
    how: SyncOptions,
    expected: Partial<Told>,
    uploads: readonly string[],
    logos?: readonly unknown[],
  ) {
    const ran = await this.world.run({ through: this.through, ...how }, expected);
    expect(this.#uploaded).toEqual(uploads.map((words) => md5(png(words))));
    this.#uploaded = [];
    expect(this.left()).toEqual([]);
    if (logos !== undefined)
      expect(['a', 'b', 'c'].map((id) => this.world.organization(id).logo)).toEqual(logos);
    return ran;
  }

  /** Files that are left beside the ledger. */
  left(): readonly string[] {
    const { ledgerFile } = this.world;
    return readdirSync(dirname(ledgerFile)).filter((name) =>
      name.startsWith(`${basename(ledgerFile)}.logos`),
    );
  }

  async rests(): Promise<void> {
    for (const full of [false, true]) await this.run({ later: 15, full }, { planned: '', listed: '' }, []);
  }
}

const units = (logo: string, b: Readonly<Record<string, string>> = {}) => [
  unit('a', null, { logo }),
  unit('b', 'a', { logo, ...b }),
  unit('c', 'a', { logo }),
];

async function opened(options: WorldOptions = {}): Promise<Stage> {
  const folder = scratchFolder('logos');
  onTestFinished(() => removeFolder(folder));
  writeFileSync(join(folder, 'one.png'), png('one.png'));
  const world = await openWorld({
    units: units(join(folder, 'one.png')),
    people: PEOPLE,
    pictures: true,
    ...options,
  });
  return new Stage(world, folder);
}

const ONE = Array<string>(3).fill('media-1');
const TWO = Array<string>(3).fill('media-2');

async function loaded(options: WorldOptions = {}): Promise<Stage> {
  const stage = await opened(options);
  await stage.run({}, {}, ['one.png'], ONE);
  stage.world.minutes(15);
  return stage;
}

describe('logos of units', () => {
  test('are uploaded once for a picture that many have, and a second run makes no call for them', async () => {
    const stage = await loaded();
    await stage.rests();
  });

  test('that change are one upload and a modification of each unit; the plan shows digests', async () => {
    const stage = await loaded();
    stage.put('one.png', 'another');
    const { text } = await stage.run({ describe: true }, { sent: CALLS.changed }, ['another'], TWO);
    expect(text.join('\n')).toContain(`md5:${md5(png('another'))}`);
    expect(text.join('\n')).not.toContain('media-');
  });

  test.each(['media-of-somebody', undefined])(
    'that somebody sets to %s are set back: uploaded again, once',
    async (logo) => {
      const stage = await loaded();
      stage.world.sandbox.edit.changeOrganization(stage.world.organization('b').id, { logo });
      const ran = await stage.run({}, { planned: 'update b' }, ['one.png'], ONE);
      expect(ran.fields('b')).toEqual(['logo']);
      await stage.rests();
    },
  );

  test('that are gone from the source are cleared; those of a unit that moves follow', async () => {
    const stage = await loaded();
    const [a, b, c] = units(join(stage.folder, 'one.png'));
    const moved = ofUnits(a!, b!, unit('c', null, c!.fields));
    expect((await stage.run({ change: moved }, {}, ['one.png'], ONE)).planned[1]).toBe('move unit c');
    const cleared = ofUnits(a!, b!, unit('c', null, { logo: null }));
    await stage.run({ change: cleared }, { planned: 'update c' }, [], ['media-1', 'media-1', undefined]);
    await stage.rests();
  });

  test('are not uploaded by a plan, which leaves no file either', async () => {
    const stage = await opened();
    const shown = await stage.world.plan({ through: stage.through });
    expect(stage.left()).toEqual([]);
    const ran = await stage.run({}, {}, ['one.png']);
    expect(ran.plan?.hash).toBe(shown.plan?.hash);
  });
});

const KEPT = 'a keeps logo, b keeps logo, c keeps logo';

test('a picture that cannot be read costs its unit the logo alone, and stays as it is in the service', async () => {
  const stage = await loaded();
  rmSync(join(stage.folder, 'one.png'));
  const change = ofUnits(...units(join(stage.folder, 'one.png'), { name: 'New' }));
  await stage.run({ change }, { exit: 4, planned: 'update b', listed: KEPT }, [], ONE);
  stage.put('one.png');
  await stage.rests();
});

describe('a service that takes no picture', () => {
  test('which fails: the rest goes on, and it is tried again with pauses', async () => {
    const stage = await loaded();
    stage.refuses = new ServiceError('POST /v1/medias/images: HTTP 502.');
    const change = ofUnits(...units(stage.put('two.png'), { name: 'New' }));
    await stage.run({ change }, { exit: 4, sent: CALLS.renamed, listed: KEPT }, ['two.png'], ONE);
    stage.refuses = null;
    await stage.run({ later: 24 * 60 }, { listed: '' }, ['two.png'], TWO);
  });

  test('for a new unit: it is made without its logo, and people come in', async () => {
    const stage = await opened();
    stage.refuses = new RefusedError('the service refuses: too ugly (status 7)', 7);
    const none = [undefined, undefined, undefined];
    await stage.run({}, { exit: 4, listed: KEPT }, ['one.png'], none);
    expect(stage.world.employee('lc').positions).toHaveLength(1);
  });
});

test('a picture is uploaded again after a crash between upload and modification, and then no more', async () => {
  const stage = await loaded();
  stage.put('one.png', 'another');
  const modifyOrganization = () => Promise.reject(new Error('killed'));
  const through = (service: Service): Service => ({ ...stage.through(service), modifyOrganization });
  await stage.run({ through }, { exit: 1, error: 'killed' }, ['another']);
  await stage.run({ later: 15 }, {}, ['another'], TWO);
  await stage.rests();
});

test('nodes that are adopted after a lost ledger keep the logos that they show, until a picture changes', async () => {
  const stage = await loaded({ sync: { guard: { ...NO_GUARD, adopted: { percent: 0, count: 0 } } } });
  stage.world.sandbox.edit.changeOrganization(stage.world.organization('b').id, { logo: 'theirs' });
  stage.world.loseLedger();
  const ran = await stage.run({}, { held: '' }, [], ['media-1', 'theirs', 'media-1']);
  expect(ran.fields('b')).toEqual([]);
  await stage.rests();
  stage.put('one.png', 'another');
  await stage.run({ later: 15 }, {}, ['another'], TWO);
});
