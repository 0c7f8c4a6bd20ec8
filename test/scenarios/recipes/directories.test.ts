import { afterAll, expect, test } from 'vitest';
import { hasServer } from '../../servers/install.ts';
import { followRecipe, PATIENCE } from './follow-recipe.ts';
import { DIRECTORIES } from './kitchens.ts';
import { Servers } from './servers.ts';

const servers = new Servers();
afterAll(() => servers.stop());

test.each(DIRECTORIES.filter(({ needs }) => needs.every(hasServer)))(
  '$recipe: from an empty folder to a load, by init as well, a leaver of each kind, and a change',
  async (kitchen) => {
    expect(await followRecipe(kitchen, servers)).toBe(true);
  },
  PATIENCE,
);
