import { isList, isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';
import type { TemplateRecord } from '../world/records.ts';

/** A message of a type in lower case; the template belongs to one of type `template`. */
export interface ToShow {
  readonly type: string;
  readonly body: WireObject;
  readonly template?: TemplateRecord | undefined;
}

/** Returns what people would read of a message, one line for each row; "" where there is nothing to read. */
export function shownMessage({ type, body, template }: ToShow): string {
  if (type === 'text') return textOf(body['content']);
  if (type === 'article')
    return objectsIn(body['articles'])
      .map(({ title }) => textOf(title))
      .join('\n');
  if (template === undefined) return textOf(body['name']);
  return lines([textOf(body['top_title']), textOf(template.fields['title']), ...filled(template, body)]);
}

/** Fills in "variables of the form {{<var_name>.DATA}}" (interface: Template); one without a value is empty. */
function filled({ fields }: TemplateRecord, body: WireObject): readonly string[] {
  const values = new Map(objectsIn(body['data']).map(({ key, value }) => [textOf(key), textOf(value)]));
  const rows = isList(fields['contents']) ? fields['contents'] : [];
  return rows.map((row) =>
    objectsIn(row)
      .map(({ content }) =>
        textOf(content).replaceAll(/\{\{([^{}]+)\.DATA\}\}/gu, (_, name: string) => values.get(name) ?? ''),
      )
      .join(' '),
  );
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

function objectsIn(list: WireValue | undefined): readonly WireObject[] {
  return isList(list) ? list.filter(isObject) : [];
}

function textOf(value: WireValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
