import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DATABASES, DIRECTORIES } from './kitchens.ts';
import { WEB_SERVICES } from './web-services.ts';

test('each recipe has a company that follows it', () => {
  const folder = fileURLToPath(new URL('../../../config/recipes', import.meta.url));
  const followed = new Set(
    [...DIRECTORIES, ...DATABASES, ...WEB_SERVICES].map(({ recipe }) => `${recipe}.yaml`),
  );
  expect(readdirSync(folder).filter((file) => !followed.has(file))).toEqual([]);
});
