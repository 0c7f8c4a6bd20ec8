type Attributes = Readonly<Record<string, string | number>>;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (char) => ESCAPES[char] ?? char);

const rounded = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 10) / 10) : escaped(value);

/** Returns an element of SVG; `inside` is SVG already. */
export function element(name: string, attributes: Attributes, inside: readonly string[] = []): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`);
  const open = `<${name}${pairs.join('')}`;
  return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('')}</${name}>`;
}

export function label(text: string, attributes: Attributes): string {
  return element('text', attributes, [escaped(text)]);
}
