import type { Line, Paint } from '../../domain/text/line.ts';

/** What belongs together under a title; terminal, page and console each show it in their way. */
export interface Block {
  readonly title: string;
  readonly items: readonly Item[];
  /** How many more there are, and how to see them. */
  readonly rest?: string | undefined;
}

export interface Item {
  readonly text: string;
  /** The records that the text is about, by name. */
  readonly names?: string | undefined;
}

/** Returns the items of sentences. */
export const itemsOf = (texts: readonly string[]): readonly Item[] => texts.map((text) => ({ text }));

/** Yields blocks for a terminal. */
export function* blockLines(blocks: Iterable<Block>, paint: Paint): Iterable<Line> {
  for (const { title, items, rest } of blocks) {
    yield title;
    yield* itemLines(items, paint);
    if (rest !== undefined) yield `    ${rest}`;
    yield '';
  }
}

export function* itemLines(items: Iterable<Item>, paint: Paint): Iterable<Line> {
  for (const { text, names } of items) {
    yield `  ${paint('care', '!')} ${text}`;
    if (names !== undefined) yield { head: '      ', text: names };
  }
}
