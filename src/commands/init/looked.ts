import type { Draft } from '../../domain/draft.ts';
import type { SecretFile } from './target.ts';

/** What a look at a source leads to. */
export interface Looked extends Draft {
  readonly secrets: readonly SecretFile[];
  /** Text of `source` and what follows it, from a recipe, instead of a section of its own. */
  readonly recipe?: string | undefined;
  /** What was seen, where nothing in it looks like people. */
  readonly seen: readonly string[];
}
