import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { SourcePart, UnknownAttribute } from '../../domain/reading/source-part.ts';
import type { SourceIdentity } from '../../domain/ports/source-identity.ts';
import type { OneSource } from '../../domain/source-settings.ts';
import { stopped } from '../connect/stopped.ts';
import type { AskedPart } from '../kept/kept-ask.ts';
import { findPart, type FoundPart } from '../kept/found-part.ts';
import type { Recording } from '../kept/recording.ts';
import { RowReader, type Derive } from '../kept/row-reader.ts';
import type { SourceContext } from './source-context.ts';
import type { Arrived } from './arrived.ts';
import { lazily } from './mapped.ts';
import { judged } from './refused-person.ts';
import { PlannedRead, type Plan, type Plans } from './planned-read.ts';

/** What is read of an earlier read in place of one source. */
export interface RecordedSource<A> {
  readonly settings: OneSource;
  readonly identity: string;
  readonly plans: Plans<A>;
  readonly derive?: Derive;
}

interface RecordedPart {
  readonly found: FoundPart;
  readonly reader: RowReader;
}

/** By the names of the mapper, which are the same list however often the plan is copied. */
type Parts = ReadonlyMap<readonly string[], RecordedPart>;

/** Returns what opens the source or, where an earlier read stands in for it, that one. */
export function openerOf<A>(
  recorded: RecordedSource<A>,
  { recording }: Pick<SourceContext, 'recording'>,
  open: Opener<A>,
): Opener<A> {
  return recording === undefined ? open : recordedOpener(recorded, recording);
}

type Opener<A> = (signal: AbortSignal) => Promise<PlannedRead<A>>;

/** Returns what opens an earlier read. What that read cannot tell is refused at once. */
function recordedOpener<A>(
  { settings, identity, plans, derive = () => undefined }: RecordedSource<A>,
  recording: Recording,
): Opener<A> {
  const parts = new Map<readonly string[], RecordedPart>();
  for (const [part, plan] of Object.entries(plans) as [AskedPart, Plan<A, unknown> | null][]) {
    const found = plan === null ? null : findPart({ part, settings, identity }, recording);
    if (plan === null || found === null) continue;
    parts.set(plan.mapper.names, { found, reader: new RowReader(found, plan.mapper, { recording, derive }) });
  }
  const { kind } = JSON.parse(identity) as SourceIdentity;
  return (signal) => Promise.resolve(new RecordedRead(plans, { kind, parts, recording, signal }));
}

interface Context {
  readonly kind: SourceIdentity['kind'];
  readonly parts: Parts;
  readonly recording: Recording;
  readonly signal: AbortSignal;
}

/** One source, as an earlier read found it. */
class RecordedRead<A> extends PlannedRead<A> {
  readonly #context: Context;
  readonly #counts = new Map<SourcePart['part'], number>();

  constructor(plans: Plans<A>, context: Context) {
    super(plans);
    this.#context = context;
  }

  async *arrived<T>(plan: Plan<A, T>): AsyncGenerator<Iterable<Arrived<T>>> {
    const { parts, recording, signal } = this.#context;
    const recorded = parts.get(plan.mapper.names);
    if (recorded === undefined) return;
    const { found, reader } = recorded;
    let count = 0;
    for (const rows of recording.read.rows(found.index)) {
      if (signal.aborted) throw stopped();
      yield lazily(rows, (row) => {
        count += 1;
        const raw = reader.read(row, count);
        return { print: () => null, take: () => ({ raw, reading: judged(plan.mapper.map(raw), raw) }) };
      });
    }
    this.#counts.set(found.part.part, count);
  }

  told(): SourceEvidence {
    const { kind, parts, recording } = this.#context;
    const all = (names: (reader: RowReader) => readonly UnknownAttribute[]): readonly UnknownAttribute[] =>
      [...parts.values()].flatMap(({ reader }) => names(reader));
    return {
      type: kind,
      snapshot: `kept of the read at ${new Date(recording.read.at).toISOString()}`,
      parts: [...this.#counts].map(([part, records]) => ({ part, records, pages: 1, end: 'end of rows' })),
      referrals: [],
      unknown: all(({ unknown }) => unknown),
      notKept: all(({ notKept }) => notKept),
    };
  }

  mayChange(): Promise<null> {
    return Promise.resolve(null);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
