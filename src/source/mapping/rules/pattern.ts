const MAX_PATTERN = 200;
const MAX_REPETITIONS = 3;
const MAX_CHOICES = 4;

/** Length of the longest value that `matches()` is applied to, see {@link patternProblem}. */
export const MAX_MATCHED_VALUE = 256;

/**
 * Returns what is wrong with a pattern, `null` if nothing. JavaScript's regular expressions backtrack:
 * `(a+)+$` on 40 characters blocks the daemon for hours. So only patterns are accepted whose cost stays
 * polynomial and small on a value of {@link MAX_MATCHED_VALUE} characters: no repetition of a group that
 * itself repeats or chooses; few repetitions (`*`, `+`, `{n,m}`; one less without `^`, because the search for
 * a start repeats too) and few choices (`?`, groups with `|`); no back-references, no look-around (which
 * CEL's own RE2 lacks too).
 */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  try {
    void new RegExp(pattern);
  } catch (error) {
    return `is no regular expression (${(error as Error).message})`;
  }
  return costProblem(pattern.match(TOKEN) ?? []);
}

const TOKEN =
  /\\[1-9k]|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<?[=!]|\((?:\?:|\?<\w+>)?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/g;
const FORBIDDEN = /^(?:\\[1-9k]|\(\?<?[=!])/;
const FIXED = /^\{\d+\}/;
const REPETITION = /^(?:[*+]\??|\{\d+(?:,\d*)?\}\??)$/;

interface Group {
  repeats: boolean;
  chooses: boolean;
}

interface Count {
  repetitions: number;
  choices: number;
}

function costProblem(tokens: readonly string[]): string | null {
  if (tokens.some((token) => FORBIDDEN.test(token))) return 'uses a back-reference or look-around';
  const groups: Group[] = [{ repeats: false, chooses: false }];
  let closed: Group | null = null;
  const count: Count = { repetitions: 0, choices: 0 };
  for (const token of tokens) {
    if (REPETITION.test(token) && closed !== null && (closed.repeats || closed.chooses)) {
      return 'repeats a group that itself repeats or chooses';
    }
    closed = step(token, groups, count);
  }
  return countProblem(count, isAnchored(tokens));
}

function countProblem({ repetitions, choices }: Count, anchored: boolean): string | null {
  const limit = anchored ? MAX_REPETITIONS : MAX_REPETITIONS - 1;
  if (repetitions > limit) return `has more than ${limit} of *, + and {n,m}${anchored ? '' : ' without ^'}`;
  return choices > MAX_CHOICES ? `has more than ${MAX_CHOICES} of ? and groups with |` : null;
}

/** Returns whether a match can only begin at the start of the value. */
function isAnchored(tokens: readonly string[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (token.startsWith('(')) depth++;
    if (token === ')') depth--;
    if (token === '|' && depth === 0) return false;
  }
  return tokens[0] === '^';
}

/** Enters, marks or leaves a group; returns the group that `token` closes, else `null`. */
function step(token: string, groups: Group[], count: Count): Group | null {
  if (token.startsWith('(')) groups.push({ repeats: false, chooses: false });
  const group = groups.at(-1);
  if (group !== undefined) mark(token, group, count);
  if (token !== ')' || group === undefined) return null;
  groups.pop();
  const outer = groups.at(-1);
  if (outer !== undefined) Object.assign(outer, union(outer, group));
  return group;
}

function mark(token: string, group: Group, count: Count): void {
  if (REPETITION.test(token)) group.repeats = true;
  if (REPETITION.test(token) && !FIXED.test(token)) count.repetitions++;
  if (token.startsWith('?') || (token === '|' && !group.chooses)) count.choices++;
  if (token.startsWith('?') || token === '|') group.chooses = true;
}

function union(a: Group, b: Group): Group {
  return { repeats: a.repeats || b.repeats, chooses: a.chooses || b.chooses };
}
