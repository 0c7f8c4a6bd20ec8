import type { Change, Held, Plan } from '../domain/changes.ts';
import { GUARDS } from '../domain/guards.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { plain } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { timeText } from '../domain/text/local-time.ts';
import { assets } from './assets.ts';
import { Markup, markup } from './markup.ts';
import { pageData } from './page-data.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import {
  basisOf,
  totalOf,
  unitTree,
  type PlacesOfUnits,
  type PlannedChange,
} from '../plan/words/describe-plan.ts';
import type { Block } from '../plan/words/block.ts';
import { describeLeftOut } from '../plan/words/describe-left-out.ts';
import { countRecords, restParts } from '../plan/words/left-out.ts';
import { unitLabels, type UnitLabels } from '../plan/words/unit-labels.ts';

export interface PageInput {
  readonly plan: Plan;
  readonly tree: PlacesOfUnits;
  /** Reads all changes of the plan; none is kept. */
  readonly changes: () => Iterable<PlannedChange>;
  readonly leavers: SyncSettings['leavers'];
  /** Whose plan this is: `domain/organization`. */
  readonly about: string;
  /** Run that made it; absent: it is of no run. */
  readonly run?: string;
  /** When the plan was made, ms since the epoch. */
  readonly madeAt: number;
  /** How many changes are listed; all without it. */
  readonly atMost?: number;
  /** Returns a text with the commands in it as they have to be typed here. */
  readonly command?: Command;
}

type Command = (text: string) => string;

const asItIs: Command = (text) => text;

/**
 * Yields a plan as one page of HTML, piece by piece. The page has everything in it: it asks for nothing over
 * the network, and its policy lets in no script or style but its own. What is held and what is left out can
 * be read without the script; the list of changes needs it.
 */
export function* planPage(input: PageInput): Iterable<string> {
  const { plan, tree, changes, leavers, atMost = Number.POSITIVE_INFINITY, command = asItIs } = input;
  const { script, style, policy } = assets();
  const labels = unitLabels(plan.unitNames);
  const title = `Plan ${printable(plan.hash)}, ${printable(input.about)}`;
  yield markup`<!doctype html>
<html lang="en" data-run="${input.run ?? ''}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${headSection(input)}
<main>
${heldSection(plan, command)}
${treeSection(input, labels)}
${changesSection(plan, atMost)}
${skippedSection(plan, { labels, leavers, command })}
</main>
<script type="application/json" id="data">`.text;
  yield* pageData({ changes: firstOf(changes(), atMost), tree, labels, zone: plan.timezone });
  yield `</script>\n<script type="module">${script}</script>\n</body>\n</html>\n`;
}

/** Yields the first items. */
export function* firstOf<T>(items: Iterable<T>, atMost: number): Iterable<T> {
  let n = 0;
  for (const item of items) {
    if (n === atMost) return;
    n += 1;
    yield item;
  }
}

interface HeadInput {
  readonly plan: Plan;
  readonly about: string;
  readonly madeAt: number;
}

/** Returns what a reader has to know first: whose plan, how much, what is held. */
function headSection({ plan, about, madeAt }: HeadInput): Markup {
  const facts = factsOf(plan).map((one) => markup`<li>${one}</li>`);
  return markup`<header>
<p class="quiet">rollcall · <bdi>${printable(about)}</bdi> · <time datetime="${new Date(madeAt).toISOString()}">${timeText(madeAt, plan.timezone)}</time></p>
<h1>Plan <code>${printable(plan.hash)}</code></h1>
<ul class="facts" role="list">${facts}</ul>
</header>`;
}

const number = (n: number): string => n.toLocaleString('en');

function fact(n: number, text: string, alarm = ''): Markup {
  return markup`<strong class="${alarm}">${number(n)}</strong> ${text}`;
}

function factsOf(plan: Plan): readonly Markup[] {
  const { blocked, calls, estimatedSeconds, edited, kept, heldChanges } = plan;
  const total = totalOf(plan);
  const missing = plan.waiting.reduce((sum, { count }) => sum + count, 0);
  return [
    fact(total, total === 1 ? 'change' : 'changes'),
    ...(plan.held.length === 0 ? [] : [fact(heldChanges, 'held until approved', 'alarm')]),
    ...(blocked.length === 0 ? [] : [markup`<span>${countRecords(blocked)} skipped or waiting</span>`]),
    ...restParts({ missing, edited, kept: kept.length }, plain).map((text) => markup`<span>${text}</span>`),
    ...(total === 0
      ? []
      : [
          markup`about ${fact(calls, calls === 1 ? 'call to the service' : 'calls to the service')}`,
          markup`takes about <strong>${duration(estimatedSeconds)}</strong>`,
        ]),
    markup`<span>${basisOf(plan)}</span>`,
  ];
}

function duration(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Returns what is held and why: the guard, the numbers it compared, the first records, and what releases it. */
function heldSection({ held }: Plan, command: Command): Markup {
  if (held.length === 0) return markup``;
  return markup`<section aria-labelledby="held">
<h2 id="held">Held</h2>
<div class="holds">${held.map((one) => holdCard(one, command))}</div>
</section>`;
}

export function holdCard(held: Held, command = asItIs): Markup {
  const { guard, hash, first, about, cause, count } = held;
  const names = first.map((name) => markup`<li><bdi>${printableText(name)}</bdi></li>`);
  const more = count - first.length;
  const tail = more > 0 ? markup`<li class="quiet">… and ${more.toLocaleString('en')} more</li>` : markup``;
  const list = first.length === 0 ? markup`` : markup`<ul class="names" role="list">${[...names, tail]}</ul>`;
  return markup`<article class="hold">
<h3>${GUARDS[guard].title.en}</h3>
<p>${numbers(held)} <code class="quiet">sync.guard.${guard}</code></p>
${about === '' ? markup`` : markup`<p><bdi>${printableText(about)}</bdi></p>`}
${list}
${cause === null ? markup`` : markup`<p class="cause">Likely cause: <bdi>${printableText(cause)}</bdi>.</p>`}
<p class="release">If that is right, release them with: <code>${command('rollcall sync --approve ')}<span class="hash">${printable(hash)}</span></code></p>
</article>`;
}

function numbers({ guard, count, limit }: Held): Markup {
  if (guard === 'source') return markup`Nothing is planned before this is approved.`;
  return markup`<strong>${count.toLocaleString('en')}</strong> ${changesWord(count)}, the limit is <strong>${limit.toLocaleString('en')}</strong>.`;
}

const changesWord = (count: number): string => (count === 1 ? 'change' : 'changes');

/** Returns the units as a tree, as `rollcall plan` draws it. */
function treeSection({ plan, tree, changes }: PageInput, names: UnitLabels): Markup {
  const lines = [...unitTree(tree, changes(), { names, zone: plan.timezone })].map((line) => line.slice(2));
  if (lines.length === 0) return markup``;
  return markup`<section aria-labelledby="units">
<h2 id="units">Units</h2>
<pre class="tree" tabindex="0" role="region" aria-labelledby="units">${lines.join('\n')}</pre>
</section>`;
}

/** Returns the counts by kind, which the script makes filters of, and the place for the list. */
function changesSection(plan: Plan, atMost: number): Markup {
  const total = totalOf(plan);
  if (total === 0)
    return markup`<section aria-labelledby="changes">
<h2 id="changes">Changes</h2>
<p>${plan.held.length + plan.blocked.length === 0 ? 'Nothing to do: the service is in step with the source.' : 'Nothing to send.'}</p>
<div id="list"></div>
</section>`;
  return markup`<section aria-labelledby="changes">
<h2 id="changes">Changes</h2>
<div id="filters" class="filters">${[kindCounts('Units', plan.counts.units), kindCounts('People', plan.counts.people)]}</div>
${total > atMost ? markup`<p>Of ${number(total)} changes, the first ${number(atMost)} are listed here.</p>` : markup``}
<noscript><p>The list of the changes needs the script of this page, which is switched off.</p></noscript>
<div id="list"></div>
</section>`;
}

function kindCounts(title: string, kinds: Readonly<Record<string, number>>): Markup {
  const nonZero = (Object.entries(kinds) as [Change['kind'], number][]).filter(([, n]) => n > 0);
  if (nonZero.length === 0) return markup``;
  const items = nonZero.map(([kind, n]) => {
    const { sign, tone } = wordsOf(kind);
    return markup`<li class="chip"><span class="sign ${tone}" aria-hidden="true">${sign}</span> ${n.toLocaleString('en')} ${kind}</li>`;
  });
  return markup`<div class="chips"><h3>${title}</h3><ul role="list">${items}</ul></div>`;
}

interface SkippedStyle extends Pick<PageInput, 'leavers'> {
  readonly labels: UnitLabels;
  readonly command: Command;
}

/** Returns what the plan does not change, and why, as `rollcall plan` says it. */
function skippedSection(plan: Plan, { command, ...style }: SkippedStyle): Markup {
  const lists = blockLists(describeLeftOut(plan, { ...style, paint: plain, all: false }), command);
  if (lists.length === 0) return markup``;
  return markup`<section aria-labelledby="left-out">
<h2 id="left-out">Skipped or waiting</h2>
${lists}
</section>`;
}

/** Returns blocks as lists below their titles. */
export function blockLists(blocks: readonly Block[], command = asItIs): readonly Markup[] {
  return blocks.map(({ title, items, rest = '' }) => {
    const lines = items.flatMap(({ text, names = '' }) => [
      listItem('reason', command(text)),
      ...(names === '' ? [] : [listItem('more', names)]),
    ]);
    const more = rest === '' ? [] : [listItem('more', rest)];
    return markup`<h3><bdi>${title.replace(/:$/u, '')}</bdi></h3>
<ul class="reasons" role="list">${[...lines, ...more]}</ul>`;
  });
}

const listItem = (kind: string, text: string): Markup => markup`<li class="${kind}"><bdi>${text}</bdi></li>`;
