import { countOf, pointed, textOf } from '../json-path.ts';
import type { JsonAnswer } from '../json-client.ts';
import { changed, incomplete } from '../problems.ts';
import { nextByOffset, type Given, type ListPage, type OffsetStep } from './read-list.ts';

type Size = Readonly<Record<string, number>>;

/** How a server divides a list into pages, as the settings have it. Pointers are JSON Pointers into an answer. */
export type Pages =
  | 'none'
  | {
      readonly offset: string;
      readonly from: number;
      readonly size?: Size | undefined;
      readonly total?: string | undefined;
    }
  | {
      readonly page: string;
      readonly from: number;
      readonly size?: Size | undefined;
      readonly total?: string | undefined;
    }
  | {
      readonly cursor: string;
      readonly param: string;
      readonly first?: string | number | undefined;
      readonly more?: string | undefined;
      readonly size?: Size | undefined;
      readonly total?: string | undefined;
    }
  | { readonly next: string; readonly size?: Size | undefined; readonly total?: string | undefined };

/** What is asked for next of a list of JSON. */
export interface JsonStep extends OffsetStep {
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Address of the page; `null`: it is that of the list. */
  readonly link: string | null;
}

/** A page with the answer that it came in. */
export interface JsonPage extends ListPage {
  readonly answer: JsonAnswer;
  readonly url: string;
}

/** How the pages of one style follow each other. */
export interface Pager {
  /** As `check` names it. */
  readonly style: 'offset' | 'page' | 'cursor' | 'next' | 'one answer';
  readonly first: JsonStep;
  readonly next: (step: JsonStep, page: JsonPage, given: Given) => JsonStep | null;
  /** Whether only a page without records ends the list; otherwise the server says that more follow. */
  readonly endsEmpty: boolean;
}

const START: JsonStep = { overlaps: false, before: 0, asked: 'the list', parameters: {}, link: null };

/** Returns how the pages of a list follow each other. */
export function pagerOf(pages: Pages, list: string): Pager {
  if (pages === 'none') return { style: 'one answer', first: START, next: () => null, endsEmpty: false };
  if ('offset' in pages) return byOffset(pages);
  if ('page' in pages) return byPage(pages, list);
  return 'cursor' in pages ? byCursor(pages, list) : byLink(pages, list);
}

function byOffset({ offset, from }: Extract<Pages, { offset: string }>): Pager {
  const asked = (before: number): string => `${offset} ${before + from}`;
  const at = (step: OffsetStep): JsonStep => ({
    ...step,
    parameters: { [offset]: step.before + from },
    link: null,
  });
  return {
    style: 'offset',
    first: at({ overlaps: false, before: 0, asked: asked(0) }),
    next: (step, _, given) => {
      const following = nextByOffset(step, given, asked);
      return following === null ? null : at(following);
    },
    endsEmpty: true,
  };
}

function byPage({ page: name, from }: Extract<Pages, { page: string }>, list: string): Pager {
  const at = (number: number): JsonStep => ({
    ...START,
    before: number,
    asked: `${name} ${number}`,
    parameters: { [name]: number },
  });
  let wasEmpty = false;
  const next: Pager['next'] = ({ before }, _, { fresh, size, total }) => {
    if (fresh > 0 && wasEmpty) throw changed(list, `${name} ${before - 1} is empty, and ${before} is not`);
    if (fresh === 0 && (wasEmpty || size === total)) return null;
    wasEmpty = fresh === 0;
    return at(before + 1);
  };
  return { style: 'page', first: at(from), next, endsEmpty: true };
}

function byCursor({ cursor, param, first, more }: Extract<Pages, { cursor: string }>, list: string): Pager {
  const seen = new Set<string>();
  return {
    style: 'cursor',
    first: first === undefined ? START : { ...START, parameters: { [param]: first } },
    next: (_, { answer: { value } }, given) => {
      const word = pointed(value, cursor);
      const text = textOf(word) ?? '';
      const says = more === undefined ? text !== '' : pointed(value, more);
      if (typeof says !== 'boolean')
        throw incomplete(list, `an answer has no true or false at ${more ?? ''}`);
      if (!says) return null;
      if (text === '')
        throw incomplete(list, `an answer says that more follow, and has no cursor at ${cursor}`);
      requireNew(seen, text, { list, what: `the cursor at ${cursor}` });
      given.hasSeenMore = true;
      return {
        ...START,
        asked: `${param} of the page before`,
        parameters: { [param]: word as string | number },
      };
    },
    endsEmpty: false,
  };
}

function byLink({ next: place }: Extract<Pages, { next: string }>, list: string): Pager {
  const seen = new Set<string>();
  return {
    style: 'next',
    first: START,
    next: (_, { answer, url }, given) => {
      const link = place === 'Link' ? linkIn(answer.headers) : textOf(pointed(answer.value, place));
      if (link === undefined || link === '') return null;
      if (!URL.canParse(link, url)) throw incomplete(list, 'the link to the next page is no address');
      const { href } = new URL(link, url);
      requireNew(seen, href, { list, what: 'the link to the next page' });
      given.hasSeenMore = true;
      return { ...START, asked: 'link of the page before', link: href };
    },
    endsEmpty: false,
  };
}

function requireNew(
  seen: Set<string>,
  text: string,
  { list, what }: { readonly list: string; readonly what: string },
): void {
  if (seen.has(text)) throw incomplete(list, `${what} came twice: the list would never end`);
  seen.add(text);
}

const LINK = /<(?<url>[^>]*)>(?<parameters>(?:\s*;\s*[\w*!-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/gu;
const NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?![\w-]))/iu;

/** Returns the address of the next page in the header Link (RFC 8288). */
function linkIn(headers: JsonAnswer['headers']): string | undefined {
  const text = [headers['link'] ?? []].flat().join(', ');
  const links = [...text.matchAll(LINK)].map(({ groups }) => groups);
  return links.find((link) => NEXT.test(link?.['parameters'] ?? ''))?.['url'];
}

/** Returns the number of records that a page tells of the whole list; `null`: the settings name no total. */
export function totalIn(pages: Pages, value: unknown, list: string): number | null {
  const total = typeof pages === 'object' && 'total' in pages ? pages.total : undefined;
  if (total === undefined) return null;
  const count = countOf(pointed(value, total));
  if (count === null) throw incomplete(list, `an answer has no number at ${total}`);
  return count;
}
