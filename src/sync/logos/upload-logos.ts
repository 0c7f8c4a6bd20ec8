import type { UnitChange } from '../../domain/changes.ts';
import { FileError, RefusedError, ServiceError } from '../../domain/errors.ts';
import type { FieldValue } from '../../domain/records/fields.ts';
import { digestIn } from '../../domain/records/logo.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { failureOf, itemOf } from '../calls/call-item.ts';
import { journalled } from '../calls/journalled.ts';
import type { Run, SendingRun } from '../state/world.ts';

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
 * Brings the pictures of these changes to the service: each that it does not have is uploaded once, before any unit
 * refers to it. If that fails, the unit's other fields go on without the logo.
 */
export async function uploadLogos(run: SendingRun, changes: readonly UnitChange[]): Promise<Uploaded> {
  const wanted = groupBy(changes.filter(sendsLogo), digestOf);
  const reasons = new Map<string, string>();
  const trouble = { reason: null };
  await inParallel(wanted, run.limits.concurrency, async ([digest, [first]]) => {
    if (first === undefined) return;
    const reason = await bring(run, { digest, change: first, trouble });
    if (reason !== null) reasons.set(digest, reason);
  });
  const missed = changes.flatMap((change) => {
    const reason = sendsLogo(change) ? reasons.get(digestOf(change)) : undefined;
    return reason === undefined ? [] : [{ change, reason }];
  });
  const before = missed.length === 0 ? new Map<string, FieldValue>() : logosSent(run);
  const without = new Map(missed.map(({ change }) => [change, withoutLogo(change, before)]));
  const left = changes.flatMap((change) => (without.has(change) ? (without.get(change) ?? []) : change));
  return { changes: left, missed };
}

/** Lists the units that went on without their logos. Done last: what was sent of a unit clears its failure. */
export function listMissed(run: SendingRun, missed: readonly Missed[]): void {
  const before = missed.length === 0 ? new Map<string, FieldValue>() : logosSent(run);
  // A unit that is adopted and moved has two changes.
  const units = new Map(missed.map((one) => [one.change.id, one]));
  for (const { change, reason: why } of units.values()) {
    const reason = `logo: ${why}; the logo stays unchanged, the rest goes on`;
    run.ledger.troubles.failed([failureOf(onlyLogo(change, before), reason)], 'refused');
    run.tally.failed += 1;
    const { subject, id, name } = change;
    run.log.event({ event: 'item.failed', subject, id, username: name, field: 'logo', reason });
  }
}

const digestOf = ({ payload }: UnitChange): string => digestIn(payload.fields['logo']) ?? '';

/** Returns whether the change sends a picture. */
function sendsLogo(change: UnitChange): boolean {
  return change.kind !== 'remove' && digestOf(change) !== '';
}

/** Returns the change with the logo that the unit had before; `null`: nothing is left of it. */
function withoutLogo(change: UnitChange, sent: LogosSent): UnitChange | null {
  const { logo: _, ...rest } = change.payload.fields;
  const fields = change.fields.filter(({ field }) => field !== 'logo');
  if (change.kind === 'update' && fields.length === 0 && change.fields.length > 0) return null;
  const before = change.kind === 'create' || change.kind === 'adopt' ? undefined : sent.get(change.id);
  const logo = before === undefined ? {} : { logo: before };
  return { ...change, fields, payload: { ...change.payload, fields: { ...rest, ...logo } } };
}

/** Logos that units were last sent, by source id. */
type LogosSent = ReadonlyMap<string, FieldValue>;

/** Returns the logos that units were last sent. */
function logosSent({ ledger }: SendingRun): LogosSent {
  const sent = ledger.units.all().map(({ id, sent: { fields } }) => [id, fields['logo'] ?? null] as const);
  return new Map(sent.flatMap(([id, logo]) => (logo === null ? [] : [[id, logo]])));
}

/** Returns what is left to do of the change, as the next run plans it: then it is tried again with pauses. */
function onlyLogo(change: UnitChange, sent: LogosSent): UnitChange {
  const logo = {
    field: 'logo',
    from: sent.get(change.id) ?? null,
    to: change.payload.fields['logo'] ?? null,
  };
  return { ...change, kind: 'update', fields: [logo] };
}

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
  const known = run.logos.mediaIdOf(digest);
  if (known !== undefined && (await hasStill(run, known, digest))) return null;
  if (trouble.reason !== null) return trouble.reason;
  const path = run.logos.fileOf(digest);
  if (path === null) return 'the service does not have the picture any more, and the source did not give it';
  let reason: string | null = null;
  await journalled(run, {
    operation: 'media.upload',
    items: [{ ...itemOf(run, change), buckets: [], claims: null, repairs: [] }],
    splits: false,
    send: async () => {
      reason = await upload(run, { path, digest }, trouble);
      return [{ is: 'noted', id: change.id }];
    },
    look: () => Promise.resolve(null),
  });
  return reason;
}

/** Returns whether the service still has the picture: after a restore it may not, or give its id to another one. */
async function hasStill(run: SendingRun, mediaId: string, digest: string): Promise<boolean> {
  const shown = await digestShown(run, mediaId);
  return shown === DIGEST_UNKNOWN || shown === digest;
}

interface Picture {
  readonly path: string;
  readonly digest: string;
}

/**
 * Uploads a picture, and remembers it as the service has taken it: that it encodes images anew is no reason to do
 * without. Returns why that failed, or `null`. Throws if the service is down.
 */
async function upload(
  run: SendingRun,
  picture: Picture,
  trouble: WantedLogo['trouble'],
): Promise<string | null> {
  const { service, logos, stop } = run;
  try {
    logos.remember(picture.digest, await service.uploadImage(picture, stop));
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

/** The service neither shows the digest of a media nor says that there is no such media. */
const DIGEST_UNKNOWN = 'not told';

/**
 * Returns the digest that the service shows of a media, in lower case; `null`: it has no such media. Throws if the
 * service is down, and not only its media.
 */
export async function digestShown({ service, stop }: Run, mediaId: string): Promise<string | null> {
  try {
    const info = await service.mediaInfo(mediaId, stop);
    return info === null ? null : (info.digest?.toLowerCase() ?? DIGEST_UNKNOWN);
  } catch (error) {
    if (error instanceof ServiceError) await service.root(stop);
    else if (!(error instanceof RefusedError)) throw error;
    return DIGEST_UNKNOWN;
  }
}
