import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../readme/page.ts';
import { IMAGE } from './image.ts';

test('the image says the version of the package by itself', () => {
  const about: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(about).toMatchObject({ version: IMAGE.version });
});
