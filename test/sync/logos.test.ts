import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RefusedError, ServiceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import { withPictures } from '../../src/source/pictures/with-pictures.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { NO_GUARD } from '../plan/build.ts';
import {
  at,
  openWorld,
  person,
  unit,
  type Ran,
  type SyncOptions,
  type World,
  type WorldOptions,
} from './world.ts';

const png = (words: string): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(words)]);
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const PEOPLE = ['a', 'b', 'c'].map((id) => person(id, { positions: [at(id)] }));

/** Stands in for the media of the service. */
class Media {
  readonly kept = new Map<string, string>();
  /** Every call, in order. */
  calls: string[] = [];
  refuses: Error | null = null;
  #last = 0;

  readonly through = (service: Service): Service => ({
    ...service,
    uploadImage: (picture) => this.#upload(picture),
  });

  /** The same bytes are the same media. */
  async #upload({ path, digest }: { path: string; digest: string }): Promise<string> {
    this.calls.push(`upload ${digest}`);
    if (this.refuses !== null) throw this.refuses;
    if (md5(readFileSync(path)) !== digest) throw new Error('the file has another digest');
    const known = [...this.kept].find(([, other]) => other === digest)?.[0];
    this.#last += 1;
    const id = known ?? `media-${this.#last}`;
    this.kept.set(id, digest);
    return id;
  }

  /** Returns the calls since the last time. */
  taken(): readonly string[] {
    const taken = this.calls;
    this.calls = [];
    return taken;
  }
}

let folder = '';
let media = new Media();
beforeEach(() => {
  folder = scratchFolder('logos');
  media = new Media();
});
afterEach(() => removeFolder(folder));

const fileOf = (name: string): string => join(folder, name);

function put(name: string, words = name): string {
  writeFileSync(fileOf(name), png(words));
  return fileOf(name);
}

/** The source with a rule for logos, and where its pictures are put down. */
const pictured =
  ({ ledgerFile }: World, dryRun = false) =>
  (source: Source): Source => {
    const rules = { unit: { logo: 'logo' }, person: {}, position: {} };
    const mapped = Object.create(source, { rules: { value: rules } }) as Source;
    return withPictures(mapped, dryRun ? null : ledgerFile);
  };

const sync = (world: World, options: SyncOptions = {}): Promise<Ran> =>
  world.sync({ from: pictured(world), through: media.through, ...options });

const logos = (world: World): readonly (string | undefined)[] =>
  ['a', 'b', 'c'].map((id) => world.organization(id).logo);

const UNITS = (logo: string) => [
  unit('a', null, { logo }),
  unit('b', 'a', { logo }),
  unit('c', 'a', { logo }),
];

/** The units, of which `b` has a new name too. */
const renamed = (logo: string) => [
  unit('a', null, { logo }),
  unit('b', 'a', { logo, name: 'New' }),
  unit('c', 'a', { logo }),
];

async function loaded(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ units: UNITS(put('one.png')), people: PEOPLE, ...options });
  expect((await sync(world)).exitCode).toBe(0);
  world.minutes(15);
  return world;
}

const left = (world: World): readonly string[] =>
  readdirSync(dirname(world.ledgerFile)).filter((name) =>
    name.startsWith(`${basename(world.ledgerFile)}.logos`),
  );

describe('logos of units', () => {
  test('are uploaded once for a picture that many have, verified, and a second run makes no call for them', async () => {
    const world = await openWorld({ units: UNITS(put('one.png')), people: PEOPLE });
    const ran = await sync(world);
    expect([ran.exitCode, ran.listed]).toEqual([0, []]);
    expect(media.taken()).toEqual([`upload ${md5(png('one.png'))}`]);
    expect(logos(world)).toEqual(['media-1', 'media-1', 'media-1']);
    expect(left(world)).toEqual([]);
    for (const full of [false, true]) {
      const again = await sync(world, { later: 15, full });
      expect([again.exitCode, again.planned, again.changing, media.taken()]).toEqual([0, [], [], []]);
    }
  });

  test('that change are one upload and a modification of each unit; the plan shows digests', async () => {
    const world = await loaded();
    media.taken();
    put('one.png', 'another');
    const ran = await sync(world, { describe: true });
    const digest = md5(png('another'));
    expect(media.taken()).toEqual([`upload ${digest}`]);
    expect(ran.changing).toEqual(['modifyOrganization', 'modifyOrganization', 'modifyOrganization']);
    expect(logos(world)).toEqual(['media-2', 'media-2', 'media-2']);
    expect(ran.text.join('\n')).toContain(`md5:${digest}`);
    expect(ran.text.join('\n')).not.toContain('media-');
  });

  test.each(['media-of-somebody', undefined])(
    'that somebody sets to %s are set back: the picture is uploaded again, once',
    async (logo) => {
      const world = await loaded();
      media.taken();
      world.sandbox.edit.changeOrganization(world.organization('b').id, { logo });
      const ran = await sync(world);
      expect([ran.exitCode, ran.planned, ran.fields('b')]).toEqual([0, ['update unit b'], ['logo']]);
      expect(media.taken()).toEqual([`upload ${md5(png('one.png'))}`]);
      expect(logos(world)).toEqual(['media-1', 'media-1', 'media-1']);
      const again = await sync(world, { later: 15, full: true });
      expect([again.changing, media.taken()]).toEqual([[], []]);
    },
  );

  test('that are gone from the source are cleared', async () => {
    const world = await loaded();
    world.change(() => ({
      units: [
        ...UNITS(fileOf('one.png')).slice(0, 2),
        { ...unit('c', 'a'), fields: { name: 'Unit c', logo: null } },
      ],
    }));
    const ran = await sync(world);
    expect([ran.exitCode, ran.planned, logos(world)[2]]).toEqual([0, ['update unit c'], undefined]);
    expect((await sync(world, { later: 15, full: true })).changing).toEqual([]);
  });

  test('follow a unit that moves', async () => {
    const world = await loaded();
    world.change(() => ({
      units: [...UNITS(fileOf('one.png')).slice(0, 2), unit('c', null, { logo: fileOf('one.png') })],
    }));
    media.taken();
    const ran = await sync(world);
    expect([ran.exitCode, ran.planned[1], logos(world)[2]]).toEqual([0, 'move unit c', 'media-1']);
    expect(media.taken()).toEqual([`upload ${md5(png('one.png'))}`]);
  });

  test('are not uploaded by a plan, which leaves no file either', async () => {
    const world = await openWorld({ units: UNITS(put('one.png')), people: PEOPLE });
    const plan = await world.plan({ from: pictured(world, true), through: media.through });
    expect([plan.exitCode, media.taken(), left(world)]).toEqual([0, [], []]);
    expect(plan.planned.filter((words) => words.includes('unit'))).toHaveLength(3);
    const ran = await sync(world);
    expect(ran.plan?.hash).toBe(plan.plan?.hash);
  });
});

describe('a picture that cannot be read', () => {
  test('costs its unit the logo alone, stays as it is in the service, and is named', async () => {
    const world = await loaded();
    media.taken();
    rmSync(fileOf('one.png'));
    world.change(() => ({ units: renamed(fileOf('one.png')) }));
    const ran = await sync(world);
    expect([ran.exitCode, ran.planned]).toEqual([4, ['update unit b']]);
    expect([world.organization('b').name, logos(world)]).toEqual(['New', ['media-1', 'media-1', 'media-1']]);
    expect(ran.listed).toHaveLength(3);
    expect(ran.listed[0]).toMatch(
      /^a: logo: ".*" there is no such file; .* stays unchanged, the rest goes on$/,
    );
    put('one.png');
    const again = await sync(world, { later: 15 });
    expect([again.exitCode, again.changing, again.listed]).toEqual([0, [], []]);
  });
});

describe('a service that takes no picture', () => {
  test('which fails: the rest goes on, and it is tried again with pauses', async () => {
    const world = await loaded();
    put('two.png');
    media.taken();
    media.refuses = new ServiceError('POST /v1/medias/images: HTTP 502.');
    world.change(() => ({ units: renamed(fileOf('two.png')) }));
    const ran = await sync(world);
    expect([ran.exitCode, media.taken().length, ran.changing]).toEqual([4, 1, ['modifyOrganization']]);
    expect([world.organization('b').name, logos(world)]).toEqual(['New', ['media-1', 'media-1', 'media-1']]);
    expect(ran.listed).toHaveLength(3);
    expect(ran.listed.every((line) => line.includes('HTTP 502') && line.includes(': logo: '))).toBe(true);
    media.refuses = null;
    const again = await sync(world, { later: 24 * 60 });
    expect([again.exitCode, again.listed, logos(world)]).toEqual([0, [], ['media-2', 'media-2', 'media-2']]);
  });

  test('is asked for the first time with the unit: it is made without its logo, and people come in', async () => {
    media.refuses = new RefusedError('the service refuses: too ugly (status 7)', 7);
    const world = await openWorld({ units: UNITS(put('one.png')), people: PEOPLE });
    const ran = await sync(world);
    expect([ran.exitCode, logos(world)]).toEqual([4, [undefined, undefined, undefined]]);
    expect(world.employee('lc').positions).toHaveLength(1);
    expect(ran.listed).toHaveLength(3);
  });
});

test('a picture is uploaded again after a crash between upload and modification, and then no more', async () => {
  const world = await loaded();
  put('one.png', 'another');
  media.taken();
  const killed = await sync(world, {
    through: (service) => ({
      ...media.through(service),
      modifyOrganization: async () => {
        throw new Error('killed');
      },
    }),
  });
  const upload = `upload ${md5(png('another'))}`;
  expect([killed.exitCode, media.taken(), left(world)]).toEqual([1, [upload], []]);
  const ran = await sync(world, { later: 15 });
  expect([ran.exitCode, media.taken(), logos(world)]).toEqual([
    0,
    [upload],
    ['media-2', 'media-2', 'media-2'],
  ]);
  expect([(await sync(world, { later: 15 })).changing, media.taken()]).toEqual([[], []]);
});

test('nodes that are adopted after a lost ledger keep the logos that they show, until a picture changes', async () => {
  const guard = { ...NO_GUARD, adopted: { percent: 0, count: 0 } };
  const world = await loaded({ sync: { guard } });
  world.sandbox.edit.changeOrganization(world.organization('b').id, { logo: 'theirs' });
  media.taken();
  world.loseLedger();
  const ran = await sync(world);
  expect([ran.exitCode, ran.plan?.held, ran.fields('b'), media.taken()]).toEqual([0, [], [], []]);
  expect(logos(world)).toEqual(['media-1', 'theirs', 'media-1']);
  expect([(await sync(world, { later: 15 })).changing, media.taken()]).toEqual([[], []]);
  put('one.png', 'another');
  const changed = await sync(world, { later: 15 });
  expect([changed.exitCode, logos(world)]).toEqual([0, ['media-2', 'media-2', 'media-2']]);
});
