import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Alias,
  type Document,
  type ErrorCode,
  type Node,
  type YAMLError,
} from 'yaml';
import type { Place, Problem } from './findings/problem.ts';
import type { Path } from '../schema/raw.ts';
import { interpolate } from './config-text.ts';

/** A configuration file as plain data, with the problems found in it and the place of every value. */
export interface ConfigTree {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Paths of texts that came out of `${…}`: numbers and booleans are still text there. */
  readonly referred: readonly Path[];
  /** Texts that are exactly one `${file:…}`: key of the path → path of the file. */
  readonly files: ReadonlyMap<string, string>;
  /** Returns the place of a value, or of the nearest thing around it that the file has. */
  locate(path: Path): Place;
}

export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** Parses YAML (so JSON too) and resolves `${…}` in every text. */
export function configTree(text: string, env: NodeJS.ProcessEnv): ConfigTree {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [first, ...others] = Array.isArray(documents) ? documents : [];
  if (first === undefined) return emptyTree();
  const reader = new TreeReader(first, env, lines);
  for (const error of [...first.errors, ...first.warnings]) {
    const { line } = lines.linePos(error.pos[0]);
    reader.report([], error.pos[0], yamlWording(error, text.split('\n')[line - 1] ?? ''));
  }
  reader.reportMore(others);
  return reader.read();
}

function emptyTree(): ConfigTree {
  const place = { line: 1, column: 1 };
  return { value: undefined, problems: [], referred: [], files: new Map(), locate: () => place };
}

class TreeReader {
  readonly #document: Document.Parsed;
  readonly #env: NodeJS.ProcessEnv;
  readonly #lines: LineCounter;
  readonly #problems: Problem[] = [];
  readonly #referred: Path[] = [];
  readonly #files = new Map<string, string>();
  readonly #offsets = new Map<string, number>();

  constructor(document: Document.Parsed, env: NodeJS.ProcessEnv, lines: LineCounter) {
    this.#document = document;
    this.#env = env;
    this.#lines = lines;
  }

  read(): ConfigTree {
    const broken = this.#problems.length > 0;
    return {
      value: broken ? undefined : this.#value(this.#document.contents, [], new Set()),
      problems: this.#problems,
      referred: this.#referred,
      files: this.#files,
      locate: (path) => this.#locate(path),
    };
  }

  report(path: Path, offset: number, finding: Omit<Problem, 'path' | 'place'>): void {
    this.#problems.push({ problem: 'config-yaml', path, place: this.#place(offset), ...finding });
  }

  reportMore(documents: readonly Document.Parsed[]): void {
    const [second] = documents;
    if (second === undefined) return;
    const count = documents.length + 1;
    this.report([], second.contents?.range?.[0] ?? second.range[0], {
      wrong: `a second YAML document begins here (${count} in all)`,
      remedy: 'remove the --- line: one file is one document',
    });
  }

  #value(node: Node | null | undefined, path: Path, within: ReadonlySet<Node>): unknown {
    if (node === null || node === undefined) return null;
    if (within.has(node)) return this.#circle(node, path);
    const inner = new Set(within).add(node);
    if (isAlias(node)) return this.#alias(node, path, inner);
    if (isSeq<Node>(node)) return node.items.map((item, index) => this.#entry(item, [...path, index], inner));
    if (isMap<Node, Node | null>(node)) return this.#map(node.items, path, inner);
    return isScalar(node) ? this.#scalar(node, path) : null;
  }

  #alias(node: Alias, path: Path, within: ReadonlySet<Node>): unknown {
    const target = node.resolve(this.#document);
    if (target !== undefined) return this.#value(target, path, within);
    const wrong = 'an alias (*) without its anchor (&)';
    this.report(path, node.range?.[0] ?? 0, { wrong, remedy: 'put the value in quotes' });
    return null;
  }

  #circle(node: Node, path: Path): null {
    this.report(path, node.range?.[0] ?? 0, { wrong: 'an alias (*) to itself', remedy: 'write it out' });
    return null;
  }

  #entry(node: Node | null, path: Path, within: ReadonlySet<Node>): unknown {
    this.#remember(path, node);
    return this.#value(node, path, within);
  }

  #map(
    pairs: readonly { readonly key: Node; readonly value: Node | null }[],
    path: Path,
    within: ReadonlySet<Node>,
  ): Readonly<Record<string, unknown>> {
    const entries = pairs.map(({ key, value }) => {
      const name = keyText(key);
      this.#remember([...path, name], key);
      return [name, this.#value(value, [...path, name], within)] as const;
    });
    return Object.fromEntries(entries);
  }

  #scalar(node: Node & { readonly value: unknown }, path: Path): unknown {
    if (typeof node.value === 'number' && Number.isInteger(node.value) && !Number.isSafeInteger(node.value)) {
      const wrong = 'a number with more digits than a number can keep';
      this.report(path, node.range?.[0] ?? 0, { problem: 'config-value', wrong, remedy: 'put it in quotes' });
    }
    return typeof node.value === 'string' ? this.#text(node.value, path, node.range?.[0] ?? 0) : node.value;
  }

  #text(source: string, path: Path, offset: number): string {
    const { text, problems, file, referred } = interpolate(source, this.#env);
    for (const one of problems) this.report(path, offset, { problem: 'config-reference', ...one });
    if (referred) this.#referred.push(path);
    if (file !== undefined) this.#files.set(pathKey(path), file);
    return text;
  }

  #remember(path: Path, node: Node | null): void {
    const offset = node?.range?.[0];
    if (offset !== undefined && !this.#offsets.has(pathKey(path))) this.#offsets.set(pathKey(path), offset);
  }

  #locate(path: Path): Place {
    for (let depth = path.length; depth > 0; depth--) {
      const offset = this.#offsets.get(pathKey(path.slice(0, depth)));
      if (offset !== undefined) return this.#place(offset);
    }
    return this.#place(this.#document.contents?.range[0] ?? 0);
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Returns a key as it is written: a key of 19 digits is a name, not a number. */
function keyText(key: Node): string {
  if (!isScalar(key)) return String(key);
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

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
function yamlWording(error: YAMLError, line: string): Wording {
  if (/[[{,].*\$\{/.test(line) && error.code !== 'DUPLICATE_KEY') {
    return {
      wrong: 'a ${…} that is not in quotes',
      remedy: 'between { } and [ ] write "${NAME}", in quotes',
    };
  }
  return WORDINGS[error.code] ?? DEFAULT;
}
