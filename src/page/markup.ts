/** Text of HTML in which every value is escaped. Only {@link markup} makes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupPart = string | number | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text for HTML, as content or within a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? '');
}

/** Makes HTML of a template: what is put in is escaped, unless it is such HTML itself. */
export function markup(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const texts = strings.map((text, index) => (index === 0 ? text : textOf(parts[index - 1] ?? '') + text));
  return new Markup(texts.join(''));
}

function textOf(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('\n') : escapeHtml(String(part));
}

/**
 * Returns JSON for a `<script>` block: nothing in it can end the block or begin a comment, and it stays the
 * same JSON.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
