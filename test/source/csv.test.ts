import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { openSource } from '../../src/source/open-source.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { csvSettings, worldFiles, writeFiles } from './csv-world.ts';
import { describeSource } from './source-contract.ts';

describeSource('a set of CSV files', true, async () => {
  const folder = scratchFolder('csv');
  const broken = join(folder, 'broken');
  mkdirSync(broken);
  const files = worldFiles();
  writeFiles(folder, files);
  writeFiles(broken, { ...files, people: `${files.people}c9999,half,"of a row\r\n` });
  return {
    source: openSource(csvSettings(folder)),
    broken: openSource(csvSettings(broken)),
    stop: async () => removeFolder(folder),
  };
});
