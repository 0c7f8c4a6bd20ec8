import { escapeHidden } from '../../domain/text/printable.ts';

/** What the page sends back as it is: the username of somebody who answers. */
const SENT_BACK: ReadonlySet<string> = new Set(['sentAs']);

/** Returns what the page shows, with the hidden characters of every text escaped; line breaks stay. */
export function visible(shown: unknown): unknown {
  if (typeof shown === 'string') return shown.split('\n').map(escapeHidden).join('\n');
  if (Array.isArray(shown)) return shown.map(visible);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, one]) => [name, SENT_BACK.has(name) ? one : visible(one)]),
  );
}
