import { StoppedError } from '../../domain/errors.ts';
import type { Increment, KeyedReading, RecordKey } from '../../domain/reading/increment.ts';
import type { SourceRead } from '../../domain/reading/source.ts';
import { orFullRead } from '../../domain/or-full-read.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { KeySet } from '../../lib/key-set.ts';
import { count } from './words.ts';

/** What speaks against incremental reads, each a sentence; `null`: they are not wanted. */
export interface IncrementsTried {
  /** How it is told what changed; `null`: everything is read each time. */
  readonly how: string | null;
  readonly problems: readonly string[];
}

const FIRST = 5;

/** Tries what an incremental read does beside a full one: the keys of all people, and what tells that they changed. */
export class IncrementsTrial {
  readonly #read: SourceRead;
  readonly #keys = new KeySet();
  #keyless = 0;
  #shared: RecordKey | null = null;

  constructor(read: SourceRead) {
    this.#read = read;
  }

  /** Notes a record of the full read. */
  note({ key }: KeyedReading): void {
    if (key === undefined) this.#keyless += 1;
    else if (!this.#keys.add(key)) this.#shared = key;
  }

  /** Asks what changed and, where it has one, for its list of everybody. Called after the full read. */
  async end(signal: AbortSignal): Promise<IncrementsTried | null> {
    const { incremental } = this.#read;
    if (incremental === undefined) return null;
    if ('why' in incremental) return { how: null, problems: [incremental.why] };
    const since = await incremental.begin();
    if ('why' in since) return { how: null, problems: [since.why] };
    const increment = await incremental.increment({ since, again: [], salt: '' });
    if ('why' in increment) return { how: null, problems: [increment.why] };
    const problems = await orFullRead(async () => {
      for await (const batch of increment.records()) for (const _ of batch) stopIf(signal);
      return [...this.#ofKeys(), ...(await this.#ofList(increment, signal))];
    });
    return 'why' in problems ? { how: null, problems: [problems.why] } : { how: since.how, problems };
  }

  #ofKeys(): readonly string[] {
    const none = this.#keyless === 0 ? [] : [`${count(this.#keyless, 'record')} of people without a key`];
    const twice = this.#shared === null ? [] : [`several records have the key ${printable(this.#shared)}`];
    return [...none, ...twice];
  }

  /** Returns in what the list of everybody is another one than that of the people. */
  async #ofList(increment: Increment, signal: AbortSignal): Promise<readonly string[]> {
    const list = increment.present();
    if (list === null) return [];
    const found = new KeySet();
    const strange: RecordKey[] = [];
    let others = 0;
    for await (const keys of list) {
      stopIf(signal);
      for (const key of keys) {
        if (this.#keys.has(key)) found.add(key);
        else if ((others += 1) <= FIRST) strange.push(key);
      }
    }
    const missing = this.#keys.size - found.size;
    return [
      ...(others === 0
        ? []
        : [`its list of keys has ${others} whom the people do not have: ${listSome(strange.map(printed))}`]),
      ...(missing === 0 ? [] : [`its list of keys lacks ${missing} of the people: they would leave`]),
    ];
  }
}

const printed = (key: RecordKey): string => printable(key);

function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw new StoppedError('stopped: the source was not read to its end');
}
