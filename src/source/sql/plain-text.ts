/** Returns a value of a driver, that is neither absent nor a date, as text: bytes as base64, objects as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return Buffer.isBuffer(value) ? value.toString('base64') : JSON.stringify(value);
}
