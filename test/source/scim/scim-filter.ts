import type { Resource } from './scim-server.ts';

type Holds = (resource: Resource) => boolean;

/** Returns what a filter lets through: `eq`, `ne`, `ge` and `sw` with `and`, `or` and brackets (RFC 7644, section 3.4.2.2). */
export function scimFilter(text: string): Holds {
  const words = text.match(/[()]|"(?:[^"\\]|\\.)*"|[^\s()]+/gu) ?? [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  const either = (): Holds => {
    const parts = [both()];
    while (words[at] === 'or') {
      at += 1;
      parts.push(both());
    }
    return (one) => parts.some((holds) => holds(one));
  };
  const both = (): Holds => {
    const parts = [single()];
    while (words[at] === 'and') {
      at += 1;
      parts.push(single());
    }
    return (one) => parts.every((holds) => holds(one));
  };
  const single = (): Holds => {
    const name = next();
    if (name !== '(') return compared(name, next(), JSON.parse(next()) as unknown);
    const holds = either();
    if (next() !== ')') throw new Error(`no filter: ${text}`);
    return holds;
  };
  const holds = either();
  if (at < words.length) throw new Error(`no filter: ${text}`);
  return holds;
}

function compared(name: string, operator: string, wanted: unknown): Holds {
  const compare = COMPARE[operator];
  if (compare === undefined) throw new Error(`no operator: ${operator}`);
  return (resource) => {
    const value = name
      .split('.')
      .reduce<unknown>((one, key) => (one as Resource | undefined)?.[key], resource);
    return value !== undefined && compare(value, wanted);
  };
}

const COMPARE: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  sw: (value, wanted) => String(value).startsWith(String(wanted)),
  // Times, which servers compare as such.
  ge: (value, wanted) => Date.parse(String(value)) >= Date.parse(String(wanted)),
};
