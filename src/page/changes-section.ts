import type { Change, Plan } from '../domain/changes.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { totalOf } from './head-section.ts';
import { markup, type Markup } from './markup.ts';

/** Returns the counts by kind, which the script makes filters of, and the place for the list. */
export function changesSection(plan: Plan): Markup {
  if (totalOf(plan) === 0)
    return markup`<section aria-labelledby="changes">
<h2 id="changes">Changes</h2>
<p>${plan.held.length + plan.blocked.length === 0 ? 'Nothing to do: the service is in step with the source.' : 'Nothing to send.'}</p>
<div id="list"></div>
</section>`;
  return markup`<section aria-labelledby="changes">
<h2 id="changes">Changes</h2>
<div id="filters" class="filters">${[counts('Units', plan.counts.units), counts('People', plan.counts.people)]}</div>
<noscript><p>The list of the changes needs the script of this page, which is switched off.</p></noscript>
<div id="list"></div>
</section>`;
}

function counts(title: string, kinds: Readonly<Record<string, number>>): Markup {
  const some = (Object.entries(kinds) as [Change['kind'], number][]).filter(([, n]) => n > 0);
  if (some.length === 0) return markup``;
  const items = some.map(([kind, n]) => {
    const { sign, tone } = wordsOf(kind);
    return markup`<li class="chip"><span class="sign ${tone}" aria-hidden="true">${sign}</span> ${n.toLocaleString('en')} ${kind}</li>`;
  });
  return markup`<div class="chips"><h3>${title}</h3><ul role="list">${items}</ul></div>`;
}
