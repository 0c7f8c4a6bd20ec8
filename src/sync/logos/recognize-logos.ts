import { digestIn, logoOf } from '../../domain/records/logo.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { serialOf, type UnitTree } from '../../plan/units/tree.ts';
import type { Run } from '../state/world.ts';
import { digestShown } from './upload-logos.ts';

/**
 * Recognizes the pictures of nodes that may be adopted, as after a lost ledger: a node whose picture is its unit's
 * needs neither an upload nor a change. Asks once for each media that such nodes show and the ledger does not know.
 */
export async function recognizeLogos(run: Run, tree: UnitTree): Promise<void> {
  const { ledger, logos } = run;
  const asked = unknownLogos(run, tree);
  if (asked.size === 0) return;
  await inParallel(asked, run.limits.concurrency, async ([mediaId, digests]) => {
    const digest = await digestShown(run, mediaId);
    if (digest !== null && digests.has(digest)) logos.remember(digest, mediaId);
  });
  const known = ledger.view.organizations().flatMap((node) => {
    const digest = logos.digestOf(mediaOf(node) ?? '');
    return digest === undefined ? [] : [{ ...node, fields: { ...node.fields, logo: logoOf(digest) } }];
  });
  ledger.view.saveOrganizations(known, false);
}

/** Returns the media id of a node's logo; `null`: it has none, or it is known. */
function mediaOf({ fields: { logo } }: Organization): string | null {
  return typeof logo !== 'string' || logo === '' || digestIn(logo) !== null ? null : logo;
}

/** Returns the media ids of nodes that no unit of ours has, with the digests of the units that they may be. */
function unknownLogos(run: Run, tree: UnitTree): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = wantedLogos(run, tree);
  const unknown = new Map<string, Set<string>>();
  if (wanted.size === 0) return unknown;
  for (const node of run.ledger.view.organizations()) {
    const mediaId = mediaOf(node);
    const digest = wanted.get(node.serialNo ?? '');
    if (mediaId !== null && digest !== undefined)
      unknown.set(mediaId, (unknown.get(mediaId) ?? new Set()).add(digest));
  }
  return unknown;
}

/** Returns the pictures that the service does not have from us, of units that are not ours yet, by serial number. */
function wantedLogos({ ledger, logos }: Run, tree: UnitTree): ReadonlyMap<string, string> {
  const managed = new Set(ledger.units.all().flatMap(({ id, state }) => (state === 'managed' ? [id] : [])));
  const wanted = new Map<string, string>();
  for (const { unit } of tree.nodes.values()) {
    const digest = digestIn(unit.fields['logo']);
    if (digest === null || managed.has(unit.id) || logos.mediaIdOf(digest) !== undefined) continue;
    wanted.set(serialOf(unit, unit.id), digest);
  }
  return wanted;
}
