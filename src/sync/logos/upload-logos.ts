import type { Log } from '../../domain/events.ts';
import type { RunTally } from '../state/run-tally.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { UnitChange } from '../../domain/changes.ts';
import { FileError, RefusedError, ServiceError } from '../../domain/errors.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { failureOf, itemOf } from '../state/call-item.ts';
import { logoSentBy } from '../state/logo-book.ts';
import type { SendingRun } from '../state/world.ts';

/** Changes of units whose pictures the service has, and those whose logo has to wait, with the reason. */
interface Uploaded {
  readonly changes: readonly UnitChange[];
  readonly missed: readonly Missed[];
}

/** A unit that goes on without its logo. */
interface Missed {
  readonly change: UnitChange;
  readonly reason: string;
}

/**
 * Uploads each picture that these changes send, once, before any unit refers to it. If that fails, the unit's other
 * fields go on without the logo.
 */
export async function uploadLogos(run: SendingRun, changes: readonly UnitChange[]): Promise<Uploaded> {
  const wanted = groupBy(
    changes.filter((change) => logoSentBy(change) !== null),
    digestOf,
  );
  const reasons = new Map<string, string>();
  const trouble = { reason: null };
  await inParallel(wanted, run.limits.concurrency, async ([digest, [change]]) => {
    if (change === undefined) return;
    const reason = await bring(run, { digest, change, trouble });
    if (reason !== null) reasons.set(digest, reason);
  });
  const missed = changes.flatMap((change) => {
    const reason = reasons.get(digestOf(change));
    return reason === undefined ? [] : [{ change, reason }];
  });
  const without = new Map(missed.map(({ change }) => [change, withoutLogo(change)]));
  const left = changes.flatMap((change) => (without.has(change) ? (without.get(change) ?? []) : change));
  return { changes: left, missed };
}

/** Lists the units that went on without their logos. Done last: what was sent of a unit clears its failure. */
export function listMissed(ledger: Ledger, tally: RunTally, log: Log, missed: readonly Missed[]): void {
  for (const { change, reason: why } of missed) {
    const reason = `logo: ${why}; the logo stays unchanged, the rest goes on`;
    ledger.troubles.failed([failureOf(onlyLogo(change), reason)], 'refused');
    tally.failed += 1;
    const { subject, id, name } = change;
    log.event({ event: 'item.failed', subject, id, username: name, field: 'logo', reason });
  }
}

/** Returns what is to be done with the logo, as the next run plans it. */
const logoChange = ({ fields, payload }: UnitChange): UnitChange['fields'][number] =>
  fields.find(({ field }) => field === 'logo') ?? {
    field: 'logo',
    from: null,
    to: payload.fields['logo'] ?? null,
  };

/** Returns the change with the logo that the unit had before; `null`: nothing is left of it. */
function withoutLogo(change: UnitChange): UnitChange | null {
  const { logo: _, ...rest } = change.payload.fields;
  const fields = change.fields.filter(({ field }) => field !== 'logo');
  if (change.kind === 'update' && fields.length === 0 && change.fields.length > 0) return null;
  const { from } = logoChange(change);
  const logo = from === null ? {} : { logo: from };
  return { ...change, fields, payload: { ...change.payload, fields: { ...rest, ...logo } } };
}

/** Returns what is left to do of the change: then it is tried again with pauses. */
const onlyLogo = (change: UnitChange): UnitChange => ({
  ...change,
  kind: 'update',
  fields: [logoChange(change)],
});

const digestOf = (change: UnitChange): string => logoSentBy(change) ?? '';

interface WantedLogo {
  readonly digest: string;
  /** The first change with this picture. */
  readonly change: UnitChange;
  /** Why the service takes no pictures at all: then no other one is tried. */
  readonly trouble: { reason: string | null };
}

/** Brings one picture to the service. Returns why it is not there, or `null`. */
async function bring(run: SendingRun, wanted: WantedLogo): Promise<string | null> {
  const { digest, change, trouble } = wanted;
  if (trouble.reason !== null) return trouble.reason;
  const path = run.logos.fileOf(digest);
  if (path === null) return 'the source does not give this picture any more';
  let reason: string | null = null;
  await run.calls.make({
    operation: 'media.upload',
    items: [{ ...itemOf(run.approved, change), buckets: [], claims: null }],
    splits: false,
    send: async () => {
      reason = await upload(run, { path, digest }, trouble);
      return [{ is: 'noted', id: change.id }];
    },
    look: () => Promise.resolve(null),
  });
  return reason;
}

interface Picture {
  readonly path: string;
  readonly digest: string;
}

/** Uploads a picture. Returns why that failed, or `null`. Throws if the service is down. */
async function upload(
  { service, logos, stop }: SendingRun,
  picture: Picture,
  trouble: WantedLogo['trouble'],
): Promise<string | null> {
  try {
    logos.uploaded.set(picture.digest, await service.uploadImage(picture, stop));
    return null;
  } catch (error) {
    if (error instanceof RefusedError || error instanceof FileError) return error.message;
    if (!(error instanceof ServiceError)) throw error;
    // If it answers otherwise, it only takes no pictures.
    await service.root(stop);
    trouble.reason = error.message;
    return error.message;
  }
}
