import type { Plan } from '../domain/changes.ts';
import { printable } from '../domain/text/printable.ts';
import { timeText } from '../domain/text/time-text.ts';
import { countRecords } from '../plan/words/left-out.ts';
import { basisOf } from '../plan/words/basis.ts';
import { restParts } from '../plan/words/rest-parts.ts';
import { plain } from '../domain/text/line.ts';
import { markup, type Markup } from './markup.ts';

interface HeadParts {
  readonly plan: Plan;
  readonly about: string;
  readonly madeAt: number;
}

/** Returns what a reader has to know first: whose plan, how much, what is held. */
export function headSection({ plan, about, madeAt }: HeadParts): Markup {
  const facts = factsOf(plan).map((one) => markup`<li>${one}</li>`);
  return markup`<header>
<p class="quiet">rollcall · <bdi>${printable(about)}</bdi> · <time datetime="${new Date(madeAt).toISOString()}">${timeText(madeAt)}</time></p>
<h1>Plan <code>${printable(plan.hash)}</code></h1>
<ul class="facts" role="list">${facts}</ul>
</header>`;
}

export function totalOf({ counts }: Plan): number {
  return [...Object.values(counts.units), ...Object.values(counts.people)].reduce((sum, n) => sum + n, 0);
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
    ...(plan.held.length === 0 ? [] : [fact(heldChanges, 'held until somebody approves', 'alarm')]),
    ...(blocked.length === 0 ? [] : [markup`<span>${countRecords(blocked)} left as they are</span>`]),
    ...restParts({ missing, edited, kept: kept.length }, plain).map((text) => markup`<span>${text}</span>`),
    ...(total === 0
      ? []
      : [markup`about ${number(calls)} ${calls === 1 ? 'call' : 'calls'}, ${duration(estimatedSeconds)}`]),
    markup`<span>${basisOf(plan)}</span>`,
  ];
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
