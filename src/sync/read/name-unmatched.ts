import type { SyncSettings } from '../../domain/settings.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Source, SourceEvidence } from '../../domain/reading/source.ts';
import { ofSameSource } from '../../domain/reading/source-identity.ts';
import { printable } from '../../domain/text/printable.ts';
import type { SourceRead } from './read-source.ts';
import type { Run } from '../state/world.ts';

/**
 * Names what the configuration names and what matches nothing: exclusions, bases, and what is protected.
 * Remembers which exclusions matched something before and match nothing now. While there are any, joiners are
 * held. Called after complete reads of both sides.
 */
export function nameUnmatched(run: Run, read: SourceRead): SourceRead {
  const { evidence } = read;
  const lost = rememberExclusions(run.ledger, run.source, evidence);
  const unmatched = [...ofSource(evidence, lost), ...ofProtect(run.ledger, run.sync, read)];
  if (unmatched.length === 0) return read;
  run.log.note('warn', 'the configuration names what is not there', { names: unmatched });
  return { ...read, evidence: { ...evidence, unmatched } };
}

/** Returns the exclusions that matched something in an earlier read and match nothing now, as the ledger calls them. */
function rememberExclusions(
  ledger: Ledger,
  source: Source,
  { exclusions }: SourceEvidence,
): readonly string[] {
  const before = ledger.fact('excluded');
  if (exclusions === undefined || (before === null && exclusions.length === 0)) return [];
  const known = ofSameSource(before, source.identity)?.all ?? [];
  const names = (isMatched: boolean): readonly string[] =>
    exclusions.filter((one) => one.isMatched === isMatched).map((one) => keyOf(one));
  const lost = names(false).filter((key) => known.includes(key));
  ledger.setFacts({ excluded: { identity: source.identity, all: [...names(true), ...lost], lost } });
  return lost;
}

/** The place in a list may be another one tomorrow, and the spelling. */
const keyOf = ({ place, text }: { readonly place: string; readonly text: string }): string =>
  `${place.replace(/\[\d+\]$/u, '')} ${text.toLowerCase().replaceAll(/\s*([,=])\s*/gu, '$1')}`;

function ofSource({ exclusions = [], parts }: SourceEvidence, lost: readonly string[]): readonly string[] {
  const excluded = exclusions
    .filter(({ isMatched }) => !isMatched)
    .map((one) => {
      const held = lost.includes(keyOf(one))
        ? ' It kept something out before, so people who join are held.'
        : '';
      return (
        `${one.place}: ${printable(one.text)} matches no entry below the bases; ` +
        `correct it if it was renamed, or remove it.${held}`
      );
    });
  const bases = parts.flatMap(({ part, from, bases: all = [] }) =>
    part === 'people' ? all.map((one) => ({ ...one, path: from ?? 'source.people' })) : [],
  );
  const empty = bases
    .filter(({ records }) => records === 0)
    .map(
      ({ path, base }) =>
        `${path}.base: ${printable(base)} has no people below it; correct it, or remove it.`,
    );
  return [...excluded, ...empty];
}

function ofProtect(ledger: Ledger, sync: SyncSettings, { tree }: SourceRead): readonly string[] {
  const { units, usernames } = sync.protect;
  const ours = new Set(ledger.units.all().map(({ id }) => id));
  const isUnit = (id: string): boolean => tree.has(id) || tree.problems.has(id) || ours.has(id);
  return [
    ...units
      .filter((id) => !isUnit(id))
      .map((id) => `sync.protect.units: no unit has the id ${printable(id)}; write ids of the source.`),
    ...usernames
      .filter((name) => ledger.people.idsOf([name]).size === 0 && ledger.view.employee(name) === null)
      .map(
        (name) =>
          `sync.protect.usernames: no person has the username ${printable(name)}; correct it, or remove it.`,
      ),
  ];
}
