/**
 * A line for a person. What does not fit into the width of a terminal goes on below: of `head` and `text` below the text,
 * of a plain one below its own beginning.
 */
export type Line = string | { readonly head: string; readonly text: string };

/** What a piece of text is about; a terminal shows it by a colour, a file does not. */
export type Tone =
  'joins' | 'changes' | 'leaves' | 'adopted' | 'moves' | 'alarm' | 'care' | 'fine' | 'strong' | 'quiet';

export type Paint = (tone: Tone, text: string) => string;

export const plain: Paint = (_, text) => text;
