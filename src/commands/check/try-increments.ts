import { orFullRead, StoppedError } from '../../domain/errors.ts';
import type { Increment, KeyedReading, RecordKey } from '../../domain/reading/increment.ts';
import type { SourceRead } from '../../domain/reading/source.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { KeySet } from '../../lib/digest.ts';
import { count } from './words.ts';

/** What speaks against incremental reads, each a sentence; `null`: they are not wanted. */
export interface IncrementsTried {
  /** How it is told what changed; `null`: everything is read each time. */
  readonly how: string | null;
  readonly problems: readonly string[];
  /** How many of the people its list of everybody lacks: they would leave. */
  readonly lacking: number;
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
    if ('why' in incremental) return never(incremental.why);
    const since = await incremental.begin();
    if ('why' in since) return never(since.why);
    const increment = await incremental.increment({ since, again: [], salt: '' });
    if ('why' in increment) return never(increment.why);
    const compared = await orFullRead(async () => {
      for await (const batch of increment.records()) for (const _ of batch) stopIf(signal);
      return this.#ofList(increment, signal);
    });
    if ('why' in compared) return never(compared.why);
    const { strange, lacking } = compared;
    return { how: since.how, problems: [...this.#ofKeys(), ...strange], lacking };
  }

  #ofKeys(): readonly string[] {
    const none = this.#keyless === 0 ? [] : [`${count(this.#keyless, 'record')} of people without a key`];
    const twice = this.#shared === null ? [] : [`several records have the key ${printable(this.#shared)}`];
    return [...none, ...twice];
  }

  /** Returns in what the list of everybody is another one than that of the people. */
  async #ofList(
    increment: Increment,
    signal: AbortSignal,
  ): Promise<{ readonly strange: readonly string[]; readonly lacking: number }> {
    const list = increment.present();
    if (list === null) return { strange: [], lacking: 0 };
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
    const tooMany = `its list of keys has ${others} whom the people do not have: ${listSome(strange.map(printed))}`;
    return { strange: others === 0 ? [] : [tooMany], lacking: this.#keys.size - found.size };
  }
}

const never = (why: string): IncrementsTried => ({ how: null, problems: [why], lacking: 0 });

const printed = (key: RecordKey): string => printable(key);

function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw new StoppedError('stopped: the source was not read to its end');
}
