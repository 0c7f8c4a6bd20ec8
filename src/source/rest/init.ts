import { DraftSection, PLACEHOLDER, type Draft, type DraftEntry } from '../../domain/draft.ts';
import { counted } from '../../domain/text/counted.ts';
import { listSome } from '../../domain/text/printable.ts';
import { systemClock } from '../../lib/clock.ts';
import { Refusals } from '../connect/refusals.ts';
import { incomplete } from '../http/problems.ts';
import { activeConditions } from '../init/active-rule.ts';
import { columnsNamed, PERSON_NAMES } from '../init/column-names.ts';
import { Password, tlsOf, urlOf, withHead, type KindInit } from '../init/init-kind.ts';
import { distinctUnits, personRules } from '../init/propose-tables.ts';
import type { RestSettings } from './kind.ts';
import { WORDS } from './rest-source.ts';
import { PAGING, surveyAnswer, type ListFacts } from './survey-answer.ts';

export const restInit: KindInit<RestSettings> = {
  async draft(flags, signal) {
    const asked = new URL(urlOf(flags));
    const user = decodeURIComponent(asked.username);
    asked.username = '';
    const [, above = '', get = '/'] = /^(.*?)(\/[^/]*\/?)$/u.exec(asked.pathname) ?? [];
    const url = asked.origin + above;
    const { access: tls, written } = tlsOf(flags);
    const { auth, entry } = authOf(user, flags.anonymous ? undefined : new Password(flags));
    // Loaded only when it is asked for, as drivers are.
    const { JsonClient } = await import('../http/json-client.ts');
    const context = { clock: systemClock, refusals: new Refusals(() => systemClock.now()) };
    const client = new JsonClient({ url, auth, tls }, WORDS, context, signal);
    const question = { url: asked.href, name: get.slice(1), body: null };
    const constants = [...asked.searchParams].filter((one) => !isPaging(one));
    try {
      const facts = surveyAnswer(await client.ask(question), get, [...asked.searchParams]);
      if (facts === null)
        throw incomplete(question.name, 'its answer has no list of records; give --url of a list of people');
      const { entries, ...draft } = proposeRest(facts, Object.fromEntries(constants));
      return withHead({ ...draft, entries: [...entry, ...entries] }, { type: 'rest', url, tls: written });
    } finally {
      await client.close();
    }
  },
};

const isPaging = ([name, value]: readonly [string, string]): boolean =>
  /^\d+$/u.test(value) && Object.values(PAGING).some((one) => one.test(name));

/** Returns who asks, to ask with and to write down. */
function authOf(user: string, secret: Password | undefined) {
  if (secret === undefined) return { auth: {}, entry: [] };
  const { text, reference } = secret;
  const refer = (key: string): DraftEntry => ({ key, value: reference, refers: true });
  const basic = { key: 'basic', value: new DraftSection([{ key: 'user', value: user }, refer('password')]) };
  return {
    auth: user === '' ? { bearer: text } : { basic: { user, password: text } },
    entry: [{ key: 'auth', value: new DraftSection([user === '' ? refer('bearer') : basic]) }],
  };
}

/** Returns a proposal: the records are people, and the values of their department are units. */
function proposeRest({ at, table, pages }: ListFacts, query: Readonly<Record<string, string>>): Draft {
  const { columns, rows, name: get } = table;
  const active = activeConditions(columns).map(({ column, text }) => `${column.name} ${text}`);
  const rules = personRules({ people: table, units: undefined, positions: undefined }, active.join('; '));
  const used = new Set(rules.flatMap(({ reads }) => reads));
  const unused = columns.filter((column) => !used.has(column)).map(({ name }) => name);
  const unit = columnsNamed(columns, PERSON_NAMES.unit)[0]?.name ?? '';
  const proof = proofOf(pages);
  const list = [
    { key: 'get', value: get, because: `${counted(rows, 'record')} in the first answer` },
    Object.keys(query).length === 0 ? null : { key: 'query', value: query },
    at === '' ? null : { key: 'items', value: at },
    { key: 'fields', value: new DraftSection(rules) },
  ];
  return {
    entries: [...proof.entries, distinctUnits(table), { key: 'people', value: new DraftSection(list) }],
    assumed: [
      `people are the records of ${get}: leave accounts of machines out with people.where`,
      active.length === 0
        ? 'nothing in the records says who has left: everybody in it counts as active'
        : `who is active: ${active.join('; ')}`,
      ...(unused.length === 0 ? [] : [`no field of people maps: ${listSome(unused, { atMost: 20 })}`]),
    ],
    gaps: [
      ...proof.gaps,
      ...(/[._]id$|Id$/u.test(unit) ? [`units: people name theirs by ${unit}; write how they are read`] : []),
      ...rules
        .filter(({ value }) => JSON.stringify(value).includes(PLACEHOLDER))
        .map(({ key }) => `no field of the records looks like people.fields.${key}`),
    ],
  };
}

/** Returns how the list is divided, and what has to be written by hand so that something shows its end. */
function proofOf(pages: ListFacts['pages']): Pick<Draft, 'entries' | 'gaps'> {
  const trust = { key: 'complete', value: { trust: PLACEHOLDER }, because: 'why it is whole, or count' };
  if (pages === null) return { entries: [trust], gaps: [NO_PAGES] };
  const seen = { key: 'pages', value: pages, because: 'assumed: by the first answer' };
  const isShown = ['size', 'more', 'page'].some((key) => key in pages);
  return isShown ? { entries: [seen], gaps: [] } : { entries: [seen, trust], gaps: [NO_PROOF] };
}

const NO_PAGES =
  'pages: the answer does not show how the list is divided; write pages, or give --url with what asks for the first page, ' +
  'as ?offset=0&limit=100; if it is one answer, write complete.count or complete.trust';
const NO_PROOF =
  'complete: nothing shows which page is the last; add size to pages, or write complete.count or complete.trust';
