import { ensureServers } from './install.ts';
import { removeFolder, SCRATCH_VARIABLE, scratchFolder } from './scratch.ts';

/** vitest's globalSetup: two workers must not run apt-get at once. Returns the clean-up of the whole run. */
export function setup(): () => void {
  // It is called for each project of the run, one in the other's folder.
  if (process.env[SCRATCH_VARIABLE] !== undefined) return () => undefined;
  ensureServers();
  const folder = scratchFolder('tests');
  process.env[SCRATCH_VARIABLE] = folder;
  return () => removeFolder(folder);
}
