type Mask = (text: string) => string;

/**
 * Returns a value of JSON with every text in it masked, the names of its fields too. A number in which something is
 * masked becomes text.
 */
export function maskedValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return maskedNumber(value, mask);
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskedValue(one, mask)]));
}

function maskedNumber(value: number, mask: Mask): number | string {
  const masked = mask(String(value));
  return masked === String(value) ? value : masked;
}

/** Masks the words of an error, which may quote a path or an address; returns the same error. */
export function maskedError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack } = error;
  error.message = mask(message);
  if (stack !== undefined) error.stack = mask(stack);
  return error;
}
