/**
 * A line for a person. What does not fit the width of a terminal continues below: for `head` and `text` below
 * the text, for a plain line below its own beginning.
 */
export type Line = string | { readonly head: string; readonly text: string };

/** What a piece of text is about; a terminal shows it as a colour, a file does not show it. */
export type Tone =
  'joins' | 'changes' | 'leaves' | 'adopted' | 'moves' | 'alarm' | 'care' | 'fine' | 'strong' | 'quiet';

export type Paint = (tone: Tone, text: string) => string;

export const plain: Paint = (_, text) => text;
