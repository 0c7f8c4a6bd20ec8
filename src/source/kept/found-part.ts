import type { KeptPart, KeptRead } from '../../domain/ports/source-keep.ts';
import type { SourceIdentity } from '../../domain/ports/source-identity.ts';
import type { OneSource } from '../../domain/source-settings.ts';
import { printable } from '../../domain/text/printable.ts';
import { keptAsk, placeIn, type AskedPart } from './kept-ask.ts';
import type { Recording } from './recording.ts';

/** A part of an earlier read that holds the records of a part that is asked for now. */
export interface FoundPart {
  /** Place among the parts of the read. */
  readonly index: number;
  readonly part: KeptRead['parts'][number];
}

export interface Asking {
  readonly part: AskedPart;
  readonly settings: OneSource;
  /** As `spellIdentity` writes it. */
  readonly identity: string;
}

const ELSE = 'plan with the source (without --recorded)';

/** Returns the part of the earlier read; `null` where it cannot tell, which is refused. */
export function findPart(asking: Asking, { read, refuse }: Recording): FoundPart | null {
  const path = pathOf(asking);
  const wanted = asking.part === 'rows' ? 'partners' : asking.part;
  const { kind, place } = placeIn(asking.identity);
  const parts = read.parts.map((part, index) => ({ part, index })).filter(({ part }) => part.part === wanted);
  const there = parts.filter(({ part }) => part.kind === kind && isSame(part.place, place));
  const ask = keptAsk(asking.settings, asking.part);
  const found = there.find(({ part }) => differing(part.ask, ask) === undefined);
  if (found !== undefined) return found;
  const [near] = there;
  if (near !== undefined) refuse(otherAsk(path, near.part.ask, ask));
  else if (parts.length === 0) refuse(`${path} was no part of the read that is kept; ${ELSE}.`);
  else refuse(`${path}: ${otherPlace(parts[0]?.part, { kind, place })}; ${ELSE}.`);
  return null;
}

function pathOf({ part, settings }: Asking): string {
  return part === 'rows' ? (settings.rows?.path ?? 'source.people.join') : `source.${part}`;
}

/** Two lists of servers with one in common are the same source. */
function isSame(a: KeptPart['place'], b: KeptPart['place']): boolean {
  const places = new Set([b].flat());
  return [a].flat().some((one) => places.has(one));
}

type Ask = KeptPart['ask'];

function differing(before: Ask, now: Ask): string | undefined {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].find((key) => before[key] !== now[key]);
}

function otherAsk(path: string, before: Ask, now: Ask): string {
  const key = differing(before, now) ?? '';
  const was = before[key] === undefined ? 'not set' : printable(before[key]);
  const is = now[key] === undefined ? 'not set' : printable(now[key]);
  const where = path.endsWith('.join') ? '' : `, or say the difference as ${path}.where`;
  return (
    `${path}: ${key} was ${was} in the read that is kept, and is ${is} now: only the source can tell which records ` +
    `that means; ${ELSE}${path === 'source.positions' ? '' : where}.`
  );
}

const spell = ({ kind, place }: Pick<SourceIdentity, 'kind' | 'place'>): string =>
  `${kind} ${[place].flat().map(printable).join(' or ')}`;

function otherPlace(was: KeptPart | undefined, now: Pick<SourceIdentity, 'kind' | 'place'>): string {
  return `the read that is kept is of ${was === undefined ? '' : spell(was)}, and not of ${spell(now)}`;
}
