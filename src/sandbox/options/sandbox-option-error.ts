/** An option of the sandbox (fault, reading, data file) that cannot be followed. */
export class SandboxOptionError extends Error {
  override readonly name = 'SandboxOptionError';
}
