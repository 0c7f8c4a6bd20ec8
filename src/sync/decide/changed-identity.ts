import { sourceChange } from '../../domain/reading/source-identity.ts';
import { digest } from '../../lib/digest.ts';
import type { LedgerFacts } from '../../domain/ports/ledger/ledger-facts.ts';
import type { FoundAgain } from '../../domain/ports/ledger/people.ts';
import type { Sides } from './sides.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import type { Run } from '../state/world.ts';

/**
 * What all records rest on differs from what the ledger knows: the whole plan waits until a person says that it is
 * right.
 */
export interface OtherIdentity {
  /** What the plan's hash covers besides its changes. */
  readonly digest: string;
  /** What is different now, and how much of the ledger is found again. */
  readonly about: string;
  /** What the ledger is to know once that is approved. */
  readonly now: Pick<LedgerFacts, 'identity' | 'root' | 'rootOrgId'>;
}

/**
 * Returns what has changed of the source's identity, `sync.root` and the service's root node; `null`:
 * nothing. If one of them changed, nearly all people may look new, missing or moved, and no record can tell
 * whether that is so. Called after complete reads of both sides. What is the same is remembered.
 */
export function changedIdentity(run: Run, { source: { tree }, view }: Sides): OtherIdentity | null {
  const { ledger, sync } = run;
  const now = { identity: run.source.identity, root: sync.root ?? 'none', rootOrgId: view.rootOrgId };
  const known = {
    identity: ledger.fact('identity'),
    root: ledger.fact('root'),
    rootOrgId: ledger.fact('rootOrgId'),
  };
  const another = sourceChange(known.identity, now.identity);
  const words = [
    another === null ? null : `another source: ${another}`,
    changed('sync.root', known.root, now.root),
    changed("the service's root node", known.rootOrgId, now.rootOrgId),
  ].filter((text) => text !== null);
  if (words.length === 0) {
    ledger.setFacts(now);
    return null;
  }
  const found = another === null ? [] : foundAgain(run, tree);
  const about = [words.join(', '), ...found].join('; ');
  return { digest: digest(JSON.stringify(['ground', known, now])), about, now };
}

function changed(what: string, known: string | null, now: string): string | null {
  return known === null || known === now ? null : `${what} was ${known} and is ${now} now`;
}

function absentFrom({ of, found, named, absent }: FoundAgain): readonly string[] {
  const count = of - found - named;
  if (count <= 0) return [];
  const more = count > absent.length ? ` and ${count - absent.length} more` : '';
  return [
    `approved, ${count} ${count === 1 ? 'person counts' : 'people count'} as missing: ${absent.join(', ')}${more}`,
  ];
}

function foundAgain({ ledger }: Run, tree: UnitTree): readonly string[] {
  const people = ledger.people.foundAgain();
  const entries = ledger.units.all().filter(({ state }) => state === 'managed');
  const units = entries.filter(({ id }) => tree.has(id)).length;
  const ids = `${people.found} of ${people.of} people and ${units} of ${entries.length} units of the ledger`;
  const named = people.named === 0 ? '' : `, ${people.named} more people by their usernames under other ids`;
  return [`${ids} are found in it by their ids${named}`, ...absentFrom(people)];
}
