import { counted } from '../domain/text/counted.ts';
import type { Held } from '../domain/changes.ts';
import type { Listed } from '../domain/ports/ledger/approvals.ts';
import type { SettledReply } from '../domain/records/approval.ts';
import { timeText } from '../domain/text/local-time.ts';
import { printable } from '../domain/text/printable.ts';
import { discreet, discreetNames } from '../page/discreet-plan.ts';
import { Markup, markup } from '../page/markup.ts';
import { fieldsOf, reasonOf } from '../page/page-data.ts';
import { holdCard } from '../page/plan-page.ts';
import { changeLabel } from '../plan/changes/guards.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { personLine, spellField, type FieldWords, type SpelledValue } from '../plan/words/describe-change.ts';
import { unitNames } from '../report/known-record.ts';
import { VIEWER } from './access.ts';
import { signInForm } from './forms.ts';
import { explainLink, linkTo, pager } from './links.ts';
import type { Asked, View } from './view.ts';

const PAGE = 100;
/** How many of the last releases are looked through. */
const REPLIES = 200;
const REFRESH_SECONDS = 3;

/** Shows what a hash releases, each field of it, and asks whether it is right; or what became of it. */
export const approveView: View = (asked) => {
  const { ledger, query } = asked;
  const hash = query('hash');
  const all = ledger.approvals.held();
  const held = all.find((one) => one.hash === hash);
  const released = ledger.approvals.replies(REPLIES).find((reply) => reply.hash === hash);
  const news = released === undefined ? markup`` : markup`<p class="totals">${newsOf(released, asked)}</p>`;
  if (released?.run === null) return { title: 'Released', body: [news], refreshSeconds: REFRESH_SECONDS };
  if (held !== undefined) return { title: 'Approve', body: [news, ...releaseOf(held, asked)] };
  const none = released === undefined ? markup`<p>Nothing is held under ${printable(hash)}.</p>` : news;
  return { title: 'Approve', body: [none, heldLinks(all)] };
};

/** Returns links to the approval of all that is held. */
export const heldLinks = (all: readonly Held[]): Markup =>
  markup`<ul>${all.map(({ hash, guard, count }) => markup`<li><a href="${linkTo('/console/approve', { hash })}">Look at ${counted(count, 'change')} held by ${guard}, and approve: ${hash}</a></li>`)}</ul>`;

/** Returns who released it, and what became of it. */
function newsOf({ by, at, run, left, count }: SettledReply, { ledger, settings }: Asked): string {
  const time = timeText(at, settings.sync.timezone);
  const begin = `Released by ${printable(by)} at ${time}: ${counted(count, 'change')}.`;
  if (run !== null && left === null)
    return `${begin} When run ${run} planned, none of it was held any more: it released nothing.`;
  if (run !== null && left === 0) return `${begin} Run ${run} has done what was still planned of it.`;
  if (run !== null) return `${begin} Run ${run} has not done ${left} of them yet; the next run tries again.`;
  const working = ledger.runs.last(1).find(({ result }) => result === null);
  if (working === undefined) return `${begin} A run begins.`;
  return working.startedAt >= at
    ? `${begin} Run ${working.id} has begun.`
    : `${begin} It waits for run ${working.id} to end; then a run begins.`;
}

function releaseOf(held: Held, asked: Asked): readonly Markup[] {
  const { ledger, query, settings } = asked;
  const { hash, guard } = held;
  const after = /^\d{1,9}$/u.test(query('after')) ? Number(query('after')) : 0;
  const { total, changes, unitNames: more } = ledger.approvals.listed(hash, { after, limit: PAGE });
  const words = { names: discreetNames(unitNames(ledger, more).labels), zone: settings.sync.timezone };
  const link = (to: number): string | null =>
    to < 0 || to >= total ? null : linkTo('/console/approve', { hash, after: String(to) });
  const isListed = total > 0 || guard === 'source';
  const range = `Changes ${after + 1} to ${after + changes.length} of ${total.toLocaleString('en')}, with those that wait for them. Phone numbers and mail addresses are not shown.`;
  return [
    markup`<div class="holds">${holdCard(held)}</div>`,
    total === 0 ? markup`` : markup`<h2>What it releases</h2><p>${range}</p>`,
    markup`<ul class="records">${changes.map((one) => itemOf(one, hash, words))}</ul>`,
    pager(link(after - PAGE), link(after + PAGE)),
    isListed
      ? questionOf(held, asked)
      : markup`<p class="alarm">The list is not kept any more. The next run makes it anew.</p>`,
  ];
}

function itemOf(
  { isHeld, hashes, change: raw }: Listed['changes'][number],
  hash: string,
  words: FieldWords,
): Markup {
  const change = discreet(raw);
  const { kind, subject, id } = change;
  const { sign, tone } = wordsOf(kind);
  const isAsked = change.subject === 'person' && change.guard === 'usernameReuse' && kind !== 'create';
  const title = isAsked ? personLine(change, words) : `${kind} ${subject} ${changeLabel(change)}`;
  const others = hashes.filter((one) => one !== hash);
  const notes = [
    isAsked ? '' : reasonOf(change, words),
    isHeld ? '' : 'waits for its unit',
    others.length === 0 ? '' : `needs ${others.join(' and ')} too`,
  ];
  const fields = fieldsOf(change).map((one) => {
    const { field, from, to } = spellField(one, words);
    const text = field === 'secrets' ? 'secrets change' : `${field}: ${valueText(from)} → ${valueText(to)}`;
    return markup`<li><bdi>${text}</bdi></li>`;
  });
  return markup`<li><span class="sign ${tone}" aria-hidden="true">${sign}</span> <a href="${explainLink(subject, id)}"><bdi>${title}</bdi></a>
<div class="why"><bdi>${notes.filter((note) => note !== '').join('; ')}</bdi></div>
<ul class="fields">${fields}</ul></li>`;
}

const valueText = (value: SpelledValue): string =>
  value === null ? 'nothing' : typeof value === 'string' ? value : `[${value.join(', ')}]`;

/** Asks an approver once more, and others for their token. */
function questionOf({ hash, count, guard }: Held, { by, hasApprovers }: Asked): Markup {
  if (!hasApprovers)
    return markup`<p class="quiet">Nobody may approve here: http.console.approvers names who may.</p>`;
  if (by === VIEWER) return markup`<p>To release it here, enter your own token.</p>${signInForm(hash)}`;
  const what = guard === 'source' ? 'the change of the source' : counted(count, 'change');
  return markup`<form method="post" action="/console/approve">
<input type="hidden" name="hash" value="${hash}">
<label class="sure"><input type="checkbox" name="sure" value="yes" required> I have looked at what is listed, and it is right.</label>
<button>Release ${what}</button>
</form>`;
}
