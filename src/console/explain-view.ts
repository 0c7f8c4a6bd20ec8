import { personName } from '../domain/records/named-person.ts';
import { withoutContacts } from '../domain/text/hide.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { discreet, discreetNames } from '../page/discreet-plan.ts';
import { Markup, markup } from '../page/markup.ts';
import { explained } from '../report/describe-explanation.ts';
import { explanationOf } from '../report/explanation.ts';
import {
  findingsOf,
  recordsLike,
  recordsNamed,
  unitNames,
  type KnownRecord,
} from '../report/known-record.ts';
import { explainLink, linkTo } from './links.ts';
import { rowList } from './row-list.ts';
import type { Asked, View } from './view.ts';

/** How many records a search finds. */
const FOUND = 50;

/** Explains one person or unit from the ledger, as `rollcall explain` says it, or finds them by a part of a name. */
export const explainView: View = (asked) => {
  const name = asked.query('name');
  const form = markup`<form action="/console/explain" role="search">
<label>Username, display name or a part of it, source id, or name of a unit <input type="search" name="name" value="${name}" required></label>
<button>Explain</button>
</form>`;
  if (name === '') return { title: 'Explain', body: [form] };
  const named = recordsNamed(asked.ledger, name);
  const like = named.length > 0 ? [] : recordsLike(asked.ledger, name, FOUND + 1);
  const records = named.length > 0 ? named : like;
  const [record] = records;
  if (record === undefined) return { title: 'Explain', body: [form, unknown(name)] };
  if (records.length > 1) return { title: 'Explain', body: [form, candidates(name, records)] };
  return { title: 'Explain', body: [form, ...explanation(asked, record)] };
};

const unknown = (name: string): Markup =>
  markup`<p><bdi>“${printable(name)}”</bdi> is neither managed nor noted by the last run: it may be new, out of scope, or inactive and never created. <code>rollcall explain NAME --live</code> asks the source.</p>`;

function candidates(name: string, records: readonly KnownRecord[]): Markup {
  const items = records.slice(0, FOUND).map((record) => {
    const { subject, id, state, seen } = record;
    const shown = withoutContacts(printableText(calledIn(record)));
    if (id === null) return markup`<li>${subject} <bdi>${shown}</bdi> (not managed, ${seen?.id ?? ''})</li>`;
    return markup`<li>${subject} <a href="${explainLink(subject, id)}"><bdi>${shown}</bdi></a>${state === null ? '' : `, ${state}`}</li>`;
  });
  const most = records.length > FOUND ? ` The first ${FOUND} are listed: type more of the name.` : '';
  const count = records.length > FOUND ? 'more than 50' : records.length;
  return markup`<p><bdi>“${printable(name)}”</bdi> names ${count} records.${most}</p>
<ul class="records">${items}</ul>`;
}

/** Returns username and display name; the name of a unit with its id, since several may have one name. */
function calledIn({ subject, id, label, sent }: KnownRecord): string {
  const name = sent?.fields['name'];
  if (subject === 'unit') return id === label ? label : `${label} (${id ?? ''})`;
  return personName({ id: id ?? '', label, name: typeof name === 'string' ? name : (id ?? '') });
}

function explanation({ ledger, settings, rules }: Asked, record: KnownRecord): readonly Markup[] {
  const { sync } = settings;
  const { labels, orgIdOf } = unitNames(ledger);
  const raw = explanationOf({
    record,
    findings: findingsOf(ledger, record),
    names: { labels: discreetNames(labels), orgIdOf },
    rules: rules(),
    zone: sync.timezone,
    live: null,
  });
  const { head, standing, asOf, sections } = explained(discreet(raw), sync);
  const { subject, id } = record;
  const past = linkTo('/console/history', { of: subject, name: id ?? '' });
  return [
    markup`<h2><bdi>${head}</bdi></h2>
<p class="totals"><bdi>${standing}</bdi></p>
<p class="quiet">${asOf}${id === null ? '' : markup`; <a href="${past}">its history</a>`}</p>`,
    ...sections.map(rowList),
  ];
}
