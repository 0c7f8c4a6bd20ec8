import { expect } from 'vitest';
import { fullRead } from '../../src/domain/full-reads.ts';
import { REASONS } from '../../src/domain/reasons/reasons.ts';
import type { Ran } from './world.ts';

/** Sentences that are no reasons of the table, and errors: `$1` of the code is what the sentence names. */
const SAID: readonly Pattern[] = [
  ['unusable $1', /^(\w+): cannot be used/u],
  ['mayBeTheirs', /^positions: the one .* may be a row whose person cannot be read/u],
  ['keeps $1', /^([\w.]+): .*the rest goes on/u],
  ['held', /^held: rollcall sync --approve [0-9a-f]+$/u],
  ['putBack', /^inactive in the source, put back by the revert/u],
  ['runEnded', /^(?:inactive|missing) in the source, and the run ended before the account was locked/u],
  ['unconfirmed', /^the service said that it is done/u],
  ['enabledMeanwhile', /^was enabled by somebody in the meantime/u],
  ['leftAndEnabledAgain', /^has left, and was enabled in the service again/u],
  ['noLongerSaysLeft', /^inactive in the source before, and what said so is absent now/u],
  ['unclear', /^not in the list of employees, and could not be asked for by its id/u],
  ['hasNameOfOther', /^the service calls its account .* now, which is the username of another known person/u],
  ['accountOfOther', /^the account with its username is that of another known person/u],
  ['wouldLose', /^not moved: its node shows .* now, which would be lost/u],
  ['notNumbered', /^not moved: node \d+ does not show the serial number/u],
  ['spelledOtherwise', /^the account .* is gone, and .*, which differs in case alone, is another one/u],
  ['severalSpellings', /^the username .* may be any of the accounts .*, which differ in case alone/u],
  ['unknownUnit', /^unit ".*" is unknown/u],
  ['unlisted', /was imported, but the employees list does not have it/u],
  ['asBefore', /^was (?:imported|changed), (?:but|and) is shown exactly as before/u],
  ['refused', /^refused by the service/u],
  ['http500', /answered HTTP 500/u],
  ['noEnvelope', /answered with .* instead of an envelope/u],
  ['brokeOff', /broke off in/u],
  ['editedAgain', /^edited in the service again after 3 repairs in 7 days/u],
  ['nameStillTaken', /^its name is still that of node/u],
  ['nodeUnread', /^(?!missing).*could not be asked for: /u],
  ['noUnit', /^has no unit, and the service requires one/u],
  ['oldPositions', /^old positions are still there/u],
  ['unitOutside', /^unit ".*" is out of scope by source\.units\.where/u],
  ['contradicted', /the two contradict each other/u],
  ['headStays', /^still shown as head of a unit/u],
  ['stillThere', /^not removed: it is still an employee/u],
  ['occupied', /^(?:its old node \d+ )?waits to be removed, still there/u],
  ['sharesId', /^id: several records share this id .*: keep/u],
  ['sharesIdInPlaces', /^id: several records share this id .* and differ only in their positions/u],
  ['sharesUsername', /^username: several records share the username/u],
  ['keeps logo', /^logo: .* stays unchanged, the rest goes on/u],
];

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);

type Pattern = readonly [code: string, words: RegExp];

/** Every template of a table as a pattern, those with most words first. */
const patternsOf = (table: Readonly<Record<string, string>>): readonly Pattern[] =>
  Object.entries(table)
    .map(([code, words]) => ({ code, parts: words.split(/\{\w+(?::[^}]*)?\}/u) }))
    .filter(({ parts }) => parts.join('') !== '')
    .toSorted((a, b) => b.parts.join('').length - a.parts.join('').length)
    .map(({ code, parts }) => [code, new RegExp(`^${parts.map(escaped).join('.*')}`, 'u')] as const);

const TOLD = patternsOf(REASONS);
const FULL_READS = patternsOf(fullRead.table);

/** Returns the code of the reason for which all of a source was read. */
export const whyFull = (text: string): string =>
  FULL_READS.find(([, words]) => words.test(text))?.[0] ?? text;

/** Returns the code of a sentence that a run says of a record, or of why it ended. */
export function codeOf(text: string): string {
  const paused = /^(.*) \(\d+ times; tried again/su.exec(text);
  if (paused !== null) return `${codeOf(paused[1] ?? '')}, paused`;
  for (const [code, words] of [...SAID, ...TOLD]) {
    const said = words.exec(text);
    if (said !== null) return code.replace('$1', said[1] ?? '');
  }
  return text;
}

const coded = (list: readonly string[]): string =>
  list
    .map((one) => one.replace(/^([^:]*): (.*)$/su, (_, id: string, text: string) => `${id} ${codeOf(text)}`))
    .join(', ');

/** `id code` of each that is listed. */
export const codesOf = ({ listed }: Ran): readonly string[] => coded(listed).split(', ');

/** `a, b*3`: the same one after the other is counted. */
function counted(names: readonly string[]): string {
  const runs: [name: string, count: number][] = [];
  for (const name of names) {
    const last = runs.at(-1);
    if (last?.[0] === name) last[1] += 1;
    else runs.push([name, 1]);
  }
  return runs.map(([name, count]) => (count === 1 ? name : `${name}*${count}`)).join(', ');
}

/** What a run came to, in a few words. */
export interface Told {
  readonly exit: number;
  /** Code of why it ended early. */
  readonly error: string;
  /** `kind id` of each planned change. */
  readonly planned: string;
  /** Calls that change the service. */
  readonly sent: string;
  /** `guard count/limit` of each that is held. */
  readonly held: string;
  /** `id code` of what is listed as blocked, waiting or failing. */
  readonly listed: string;
  /** The same of leavers whose account is active. */
  readonly inside: string;
  /** Ids of what others edited. */
  readonly drift: string;
  /** `account: username of the source`. */
  readonly kept: string;
  /** Codes of what failed in this run. */
  readonly failed: string;
  /** `kind id` of what was done. */
  readonly done: string;
  /** Whether all of the service was read. */
  readonly kind: string;
}

const TELL: { readonly [K in keyof Told]: (ran: Ran) => Told[K] } = {
  exit: ({ exitCode }) => exitCode,
  error: ({ problem, error }) => problem ?? codeOf(error),
  planned: ({ planned }) => planned.map((one) => one.replace(/ (?:unit|person) /u, ' ')).join(', '),
  sent: ({ changing }) => counted(changing),
  held: ({ plan }) =>
    (plan?.held ?? []).map(({ guard, count, limit }) => `${guard} ${count}/${limit}`).join(', '),
  listed: ({ listed }) => coded(listed),
  inside: ({ inside }) => coded(inside),
  failed: ({ lines }) =>
    lines
      .flatMap(({ fields: { event, reason } }) => (event === 'item.failed' ? [codeOf(String(reason))] : []))
      .join(', '),
  drift: ({ lines }) =>
    lines
      .flatMap(({ fields: { event, id } }) => (event === 'drift.found' ? [String(id)] : []))
      .toSorted()
      .join(', '),
  kept: ({ kept }) => kept.join(', '),
  done: ({ done }) => done.map(({ kind, id }) => `${kind} ${id}`).join(', '),
  kind: ({ report }) => report.end.kind,
};

/** Expects what these say of a run; exit code 0 and no error if nothing else is said. */
export function expectTold(ran: Ran, expected: Partial<Told>): Ran {
  const wanted: Partial<Told> = { exit: 0, ...((expected.exit ?? 0) === 0 && { error: '' }), ...expected };
  const told = Object.keys(wanted).map((key) => [key, TELL[key as keyof Told](ran)]);
  expect(Object.fromEntries(told)).toEqual(wanted);
  return ran;
}

/** Nothing was to do, nothing is listed. */
export const SILENT = { exit: 0, planned: '', sent: '', listed: '', held: '', inside: '' } as const;
