import { personName } from '../domain/records/named-person.ts';
import { plain } from '../domain/text/line.ts';
import { withoutContacts } from '../domain/text/hide.ts';
import { discreet, discreetNames } from '../page/discreet-plan.ts';
import { Markup, markup } from '../page/markup.ts';
import { blockLists, holdCard } from '../page/plan-page.ts';
import { recordNames } from '../plan/words/record-names.ts';
import { nameUnits, unitLabels, type UnitLabels } from '../plan/words/unit-labels.ts';
import {
  RECORD_LISTS,
  statusParts,
  type RecordList,
  type Status,
  type StatusParts,
} from '../report/describe-status.ts';
import { readStatus } from '../report/read-status.ts';
import { heldLinks } from './approve-view.ts';
import { explainLink, linkTo, pager } from './links.ts';
import { rowList } from './row-list.ts';
import type { Asked, View } from './view.ts';

/** How many records of each list are read: more is for `rollcall status --json`. */
const MOST_RECORDS = 1_000;
const PAGE = 100;
const CUT = 'Of each list, the first 1,000 records are read here; rollcall status --json lists all.';

const TITLES = {
  leavers: 'Leavers whose account is still active',
  failing: 'Failing',
  waiting: 'Skipped or waiting',
  unmanaged: 'Accounts that rollcall does not manage',
} as const satisfies Record<RecordList | 'unmanaged', string>;
const LISTS = [...RECORD_LISTS, 'unmanaged'] as const;

interface StatusRead {
  readonly parts: StatusParts;
  readonly held: Status['held'];
  readonly unmanaged: number;
  readonly labels: UnitLabels;
}

function statusOf({ ledger, settings, now, requireWritable }: Asked): StatusRead {
  const request = { settings, now, atMost: MOST_RECORDS, requireWritable };
  const { status, names } = readStatus(ledger, { ...request, unmanaged: 'as of the last run' });
  const shown = discreet(status);
  const labels = unitLabels(discreetNames(names.now), discreetNames(names.before));
  const { leavers, timezone: zone } = settings.sync;
  const parts = statusParts(shown, { labels, leavers, zone, paint: plain, more: '' });
  return { parts, held: shown.held, unmanaged: shown.unmanaged, labels };
}

/** Shows how things stand, as `rollcall status` says it. */
export const statusView: View = (asked) => {
  const { parts, held, unmanaged } = statusOf(asked);
  const { alarm, facts, first, rest, totals, records } = parts;
  const lists = blockLists([...first, ...rest]);
  const counts = { ...records, unmanaged: { length: unmanaged } };
  const links = LISTS.filter((list) => counts[list].length > 0).map(
    (list) => markup`<a href="${linkTo('/console/records', { list })}">${TITLES[list]}</a>`,
  );
  return {
    title: 'Status',
    body: [
      alarm === null ? markup`` : markup`<p class="alarm">${alarm}</p>`,
      markup`<p class="totals">${totals}</p>`,
      Object.values(records).every(({ length }) => length < MOST_RECORDS)
        ? markup``
        : markup`<p class="quiet">${CUT}</p>`,
      rowList(facts),
      held.length === 0
        ? markup``
        : markup`<h2>Held</h2>
<p>What waits is listed in the <a href="/console/plan">plan of the last run</a>.</p>
<div class="holds">${held.map((one) => holdCard(one))}</div>
${asked.hasApprovers ? heldLinks(held) : ''}`,
      lists.length === 0 ? markup`` : markup`<h2>Records</h2>`,
      links.length === 0 ? markup`` : markup`<nav aria-label="Lists">One by one: ${links}</nav>`,
      ...lists,
    ],
  };
};

/** Lists records one by one, 100 on a page. */
export const recordsView: View = (asked) => {
  const list = LISTS.find((one) => one === asked.query('list')) ?? 'waiting';
  const records = list === 'unmanaged' ? unmanagedItems(asked) : recordItems(asked, list);
  const pages = Math.max(1, Math.ceil(records.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(asked.query('page'))) || 1));
  const first = (page - 1) * PAGE;
  const shown = records.slice(first, first + PAGE);
  const link = (to: number): string | null =>
    to < 1 || to > pages ? null : linkTo('/console/records', { list, page: String(to) });
  const more = records.length < MOST_RECORDS ? '' : ` ${CUT}`;
  return {
    title: TITLES[list],
    body: [
      markup`<p>${records.length === 0 ? 'None.' : `${first + 1} to ${first + shown.length} of ${records.length}.${more}`}</p>`,
      markup`<ul class="records">${shown.map((item) => item())}</ul>`,
      pager(link(page - 1), link(page + 1)),
    ],
  };
};

/** An item of a list, made where it is shown. */
type Item = () => Markup;

function recordItems(asked: Asked, list: RecordList): readonly Item[] {
  const { parts, labels } = statusOf(asked);
  const records = parts.records[list];
  const nameOf = recordNames(records, labels);
  return records.map((record) => () => {
    const { subject, id, reason } = record;
    const name = withoutContacts(nameOf(record));
    return markup`<li>${subject} <a href="${explainLink(subject, id)}"><bdi>${name}</bdi></a>: <bdi>${nameUnits(reason, labels)}</bdi></li>`;
  });
}

/** Returns the accounts that rollcall does not manage, as `rollcall status --unmanaged` names them. */
function unmanagedItems({ ledger }: Asked): readonly Item[] {
  return ledger.view.unmanaged(MOST_RECORDS).first.map(({ username, id, locked, shown }) => () => {
    const { name } = shown.fields;
    const person = { id, label: username, ...(typeof name === 'string' && { name }) };
    const link = linkTo('/console/explain', { name: username });
    return markup`<li><a href="${link}"><bdi>${withoutContacts(personName(person))}</bdi></a>${locked ? ', locked' : ''}</li>`;
  });
}
