import type { ErrorCode, YAMLError } from 'yaml';

interface Wording {
  readonly wrong: string;
  readonly remedy: string;
}

const QUOTES = 'put the value in quotes';

/** Problems of YAML in our words: the parser quotes the file, and what it quotes may be a password. */
const WORDINGS: Readonly<Partial<Record<ErrorCode, Wording>>> = {
  BAD_ALIAS: { wrong: 'an alias (*) without its anchor (&)', remedy: QUOTES },
  BAD_DQ_ESCAPE: { wrong: 'a backslash in double quotes that means nothing', remedy: 'use single quotes' },
  BAD_INDENT: {
    wrong: 'the indentation does not fit',
    remedy: 'align it with its neighbours, or close the bracket before it',
  },
  BAD_SCALAR_START: { wrong: 'a value cannot begin with this character', remedy: QUOTES },
  BLOCK_AS_IMPLICIT_KEY: { wrong: 'a second "key:" on one line', remedy: `start a new line, or ${QUOTES}` },
  DUPLICATE_KEY: { wrong: 'this key stands here twice', remedy: 'keep one of the two' },
  MISSING_CHAR: { wrong: 'a bracket, quote, comma or colon is missing', remedy: 'add it' },
  MULTILINE_IMPLICIT_KEY: {
    wrong: 'a line without "key:"',
    remedy: 'add the colon, or check the indentation',
  },
  MULTIPLE_DOCS: { wrong: 'a second document begins', remedy: 'remove the --- line: one file, one document' },
  RESOURCE_EXHAUSTION: { wrong: 'it is nested too deeply', remedy: 'simplify it' },
  TAB_AS_INDENT: { wrong: 'a tab as indentation', remedy: 'indent with blanks' },
  TAG_RESOLVE_FAILED: { wrong: 'a tag (!) that is not known here', remedy: `remove it, or ${QUOTES}` },
};

const DEFAULT: Wording = {
  wrong: 'this is no valid YAML',
  remedy: 'check quotes, brackets and indentation around it',
};

/**
 * Returns what the parser found, without quoting the file. `line` is the text of the line that it points at.
 */
export function yamlWording(error: YAMLError, line: string): Wording {
  if (/[[{,].*\$\{/.test(line) && error.code !== 'DUPLICATE_KEY') {
    return {
      wrong: 'a ${…} that is not in quotes',
      remedy: 'between { } and [ ] write "${NAME}", in quotes',
    };
  }
  return WORDINGS[error.code] ?? DEFAULT;
}
