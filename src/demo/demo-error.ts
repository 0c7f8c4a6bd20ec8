/** Thrown where something did not end as narrated. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
