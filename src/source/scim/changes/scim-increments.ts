import type {
  FullReadNeeded,
  Increment,
  IncrementalRead,
  ReadMark,
} from '../../../domain/reading/increment.ts';
import { orFullRead } from '../../../domain/or-full-read.ts';
import { askedIn, parseMark, writeMark, type Mark } from './read-mark.ts';
import type { ScimAsking } from './scim-asking.ts';
import { OVERLAP_MS, ScimIncrement } from './scim-increment.ts';
import { seenNow } from './seen-now.ts';

/** Tells what changed by `meta.lastModified`, and who is gone by a list of all ids. */
export class ScimIncrements implements IncrementalRead {
  readonly #asking: ScimAsking;
  #mark: Mark | FullReadNeeded = { why: 'nothing was begun' };

  constructor(asking: ScimAsking) {
    this.#asking = asking;
  }

  async begin(): Promise<ReadMark | FullReadNeeded> {
    this.#mark = await this.#begin();
    return 'why' in this.#mark ? this.#mark : writeMark(this.#mark);
  }

  increment(asked: Parameters<IncrementalRead['increment']>[0]): Promise<Increment | FullReadNeeded> {
    const [before, now] = [parseMark(asked.since.text), this.#mark];
    if ('why' in now) return Promise.resolve(now);
    if (before === null) return Promise.resolve({ why: 'the mark of the last read is not of this version' });
    const why = otherSince(before, now);
    return Promise.resolve(why === null ? new ScimIncrement(this.#asking, asked, { before, now }) : { why });
  }

  #begin(): Promise<Mark | FullReadNeeded> {
    const { client, server, list } = this.#asking;
    return orFullRead(async () => ({ server, asked: askedIn(list), ...(await seenNow(client, list)) }));
  }
}

/** Returns why nothing can be added to what was read at an earlier time; `null`: it can. */
function otherSince(before: Mark, now: Mark): string | null {
  if (before.server !== now.server) return `another server answers: ${now.server}`;
  if (before.asked !== now.asked) return 'resource or filter of source.people is another';
  return now.date + OVERLAP_MS < before.date ? 'the clock of the server went back' : null;
}
