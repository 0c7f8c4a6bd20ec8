import { Document, Pair, Scalar, YAMLMap, type Node } from 'yaml';
import { DraftSection, type DraftEntry, type DraftValue } from '../../domain/draft.ts';
import { escapeHidden } from '../../domain/text/printable.ts';

/** Returns a draft as YAML, with the reasons as comments. */
export function draftText(entries: readonly DraftEntry[]): string {
  const document = new Document();
  document.contents = sectionNode(document, entries) as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function sectionNode(document: Document, entries: readonly DraftEntry[]): YAMLMap {
  const map = new YAMLMap();
  for (const { key, value, because, above, refers } of entries) {
    const name = new Scalar(key);
    if (above !== undefined && above.length > 0) name.commentBefore = above.map(commentLine).join('\n');
    const node = nodeOf(document, value, refers ?? false);
    if (because !== undefined) node.comment = commentLine(because);
    map.items.push(new Pair(name, node));
  }
  return map;
}

/** Somebody else's names may stand in a comment: no line break of theirs ends it. */
function commentLine(text: string): string {
  return ` ${escapeHidden(text)}`;
}

function nodeOf(document: Document, value: DraftValue | DraftSection, refers: boolean): Node {
  if (value instanceof DraftSection) return sectionNode(document, value.entries);
  return document.createNode(refers ? value : literal(value), { flow: true }) as Node;
}

/** Returns a value in which `${` stands for itself. */
function literal(value: DraftValue): DraftValue {
  if (typeof value === 'string') return value.replaceAll('${', '$${');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: DraftValue) => literal(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, literal(one)]));
}
