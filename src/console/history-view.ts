import type { HistoryEntry, HistoryPlace, HistoryQuery } from '../domain/ports/history.ts';
import { discreet, discreetNames } from '../page/discreet-plan.ts';
import { Markup, markup } from '../page/markup.ts';
import type { FieldWords } from '../plan/words/describe-change.ts';
import { describeEntry, recordsOfKind, sinceOf } from '../report/describe-history.ts';
import { unitNames } from '../report/known-record.ts';
import { explainLink, linkTo, pager } from './links.ts';
import { runLink } from './standing.ts';
import type { Asked, View } from './view.ts';

const PAGE = 100;

/** Lists what was applied, the latest first, with the filters of `rollcall history`. */
export const historyView: View = (asked) => {
  const { ledger, query } = asked;
  const entries = ledger.history.latest(queryOf(asked), placeOf(query('before')), PAGE + 1);
  const shown = entries.slice(0, PAGE);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query(name)]));
  const last = entries.length > PAGE ? shown.at(-1) : undefined;
  const older = last && linkTo('/console/history', { ...filters, before: `${last.at}.${last.n}` });
  return {
    title: 'History',
    body: [
      historyForm(query),
      shown.length === 0 ? markup`<p>Nothing in the history matches.</p>` : historyItems(asked, shown),
      pager(query('before') === '' ? null : linkTo('/console/history', filters), older ?? null, [
        'Latest',
        'Older',
      ]),
    ],
  };
};

const FILTERS = ['of', 'name', 'since'] as const;

/** Throws a ConfigError for a time that is none, and for a name that is not known. */
function queryOf({ ledger, now, settings, query }: Asked): HistoryQuery {
  const since = query('since') === '' ? 0 : sinceOf(query('since'), now.time, settings.sync.timezone);
  const name = query('name');
  if (name === '') return { since, of: null };
  return { since, of: recordsOfKind(ledger, query('of') === 'unit' ? 'unit' : 'person', name) };
}

function placeOf(text: string): HistoryPlace | null {
  const [, at, n] = /^(\d{1,15})\.(\d{1,15})$/u.exec(text) ?? [];
  return at === undefined ? null : { at: Number(at), n: Number(n) };
}

/** @param query as in `Asked` */
function historyForm(query: Asked['query']): Markup {
  const option = (value: string, text: string): Markup =>
    query('of') === value
      ? markup`<option value="${value}" selected>${text}</option>`
      : markup`<option value="${value}">${text}</option>`;
  return markup`<form action="/console/history" role="search">
<label>Of <select name="of">${[option('person', 'a person'), option('unit', 'a unit')]}</select></label>
<label>Named (empty: all) <input type="search" name="name" value="${query('name')}"></label>
<label>Since (7d, 12h, 2026-11-01) <input name="since" value="${query('since')}" autocomplete="off"></label>
<button>Filter</button>
</form>`;
}

/** Returns changes that were applied as a list. */
export function historyItems({ ledger, settings }: Asked, entries: readonly HistoryEntry[]): Markup {
  const words = { names: discreetNames(unitNames(ledger).labels), zone: settings.sync.timezone };
  return markup`<ul class="records">${entries.map((entry) => itemOf(entry, words, ledger))}</ul>`;
}

function itemOf(raw: HistoryEntry, words: FieldWords, ledger: Asked['ledger']): Markup {
  const entry = discreet(raw);
  const { time, sign, tone, title, why, fields } = describeEntry(entry, words, ledger);
  const items = fields.map((text) => markup`<li><bdi>${text}</bdi></li>`);
  return markup`<li><span class="quiet">${time}</span>
<div><span class="sign ${tone}" aria-hidden="true">${sign}</span> <a href="${explainLink(entry.subject, entry.id)}"><bdi>${title}</bdi></a></div>
<div class="why"><bdi>${why}</bdi> (${runLink(entry.run)})</div>
<ul class="fields">${items}</ul></li>`;
}
