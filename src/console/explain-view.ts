import { withoutContacts } from '../domain/text/hide.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { discreet, discreetNames } from '../page/discreet-plan.ts';
import { Markup, markup } from '../page/markup.ts';
import { explained } from '../report/describe-explanation.ts';
import { explanationOf } from '../report/explanation.ts';
import { findingsOf, recordsCalled, unitNames, type KnownRecord } from '../report/known-record.ts';
import { explainLink, linkTo } from './links.ts';
import { rowList } from './row-list.ts';
import type { Asked, View } from './view.ts';

/** How many records of one name are listed. */
const CANDIDATES = 100;

/** Explains one person or unit from the ledger, as `rollcall explain` says it. */
export const explainView: View = (asked) => {
  const name = asked.query('name');
  const form = markup`<form action="/console/explain" role="search">
<label>Username, display name, source id, or name of a unit <input type="search" name="name" value="${name}" required></label>
<button>Explain</button>
</form>`;
  const records = name === '' ? [] : recordsCalled(asked.ledger, name);
  const [record] = records;
  if (record === undefined)
    return { title: 'Explain', body: [form, ...(name === '' ? [] : [unknown(name)])] };
  if (records.length > 1) return { title: 'Explain', body: [form, candidates(name, records)] };
  return { title: 'Explain', body: [form, ...explanation(asked, record)] };
};

const unknown = (name: string): Markup =>
  markup`<p><bdi>“${printable(name)}”</bdi> is neither managed nor noted by the last run: it may be new, out of scope, or inactive and never created. <code>rollcall explain NAME --live</code> asks the source.</p>`;

function candidates(name: string, records: readonly KnownRecord[]): Markup {
  const items = records.slice(0, CANDIDATES).map(({ subject, id, label, state, seen }) => {
    const shown = withoutContacts(printableText(label));
    if (id === null) return markup`<li>${subject} <bdi>${shown}</bdi> (not managed, ${seen?.id ?? ''})</li>`;
    return markup`<li>${subject} <a href="${explainLink(subject, id)}"><bdi>${shown} (${printable(id)})</bdi></a>${state === null ? '' : `, ${state}`}</li>`;
  });
  return markup`<p><bdi>“${printable(name)}”</bdi> names ${records.length} records:</p>
<ul class="records">${items}</ul>`;
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
