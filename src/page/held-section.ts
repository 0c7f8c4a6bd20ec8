import type { Held, Plan } from '../domain/changes.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { markup, type Markup } from './markup.ts';

/** Returns what is held and why: the guard, the numbers it compared, the first records, and what releases it. */
export function heldSection({ held }: Plan): Markup {
  if (held.length === 0) return markup``;
  return markup`<section aria-labelledby="held">
<h2 id="held">Held</h2>
<div class="holds">${held.map(holdCard)}</div>
</section>`;
}

function holdCard(held: Held): Markup {
  const { guard, hash, first, about, cause, count } = held;
  const names = first.map((name) => markup`<li><bdi>${printableText(name)}</bdi></li>`);
  const more = count - first.length;
  const rest = more > 0 ? markup`<li class="quiet">… and ${more.toLocaleString('en')} more</li>` : markup``;
  const list = count === 0 ? markup`` : markup`<ul class="names" role="list">${[...names, rest]}</ul>`;
  return markup`<article class="hold">
<h3><code>sync.guard.${guard}</code></h3>
<p>${numbers(held)}</p>
${about === '' ? markup`` : markup`<p><bdi>${printableText(about)}</bdi></p>`}
${list}
${cause === null ? markup`` : markup`<p class="cause">Likely cause: <bdi>${printableText(cause)}</bdi>.</p>`}
<p class="release">If that is right, release them with: <code>rollcall sync --approve ${printable(hash)}</code></p>
</article>`;
}

function numbers({ guard, count, limit }: Held): Markup {
  if (guard === 'source')
    return count === 0
      ? markup`Nothing else waits with it.`
      : markup`All of the plan waits with it, who would leave included: <strong>${count.toLocaleString('en')}</strong> ${changes(count)}.`;
  return markup`<strong>${count.toLocaleString('en')}</strong> ${changes(count)}, the limit is <strong>${limit.toLocaleString('en')}</strong>.`;
}

const changes = (count: number): string => (count === 1 ? 'change' : 'changes');
