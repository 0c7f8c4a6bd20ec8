import { isRekey, type FieldChange, type PersonChange, type UnitChange } from '../../domain/changes.ts';
import { PERSON_FIELDS, type Fields, type FieldSpec, type FieldValue } from '../../domain/records/fields.ts';
import { showValue } from '../../domain/ports/service.ts';
import { FORGOTTEN } from '../../domain/records/account-named.ts';
import { isoIn, localTime } from '../../domain/text/local-time.ts';
import { changeLabel } from '../changes/guards.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { say } from '../../domain/words/say.ts';

/** How many positions and lost fields of one record are named. */
const POSITIONS = 10;
const LOST = 10;

const quote = (value: FieldValue | null): string =>
  typeof value === 'string' ? `"${showValue(value)}"` : showValue(value);

/** What the words of a field are made with. */
export interface FieldWords {
  /** Names of units by source id. */
  readonly names: ReadonlyMap<string, string>;
  /** Zone in which days are shown. */
  readonly zone: string;
  /** Of a change that is done: a new unit had no parent, and a removed one has none. */
  readonly kind?: (PersonChange | UnitChange)['kind'];
}

const SPECS: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;

/** Returns a value of a field for a person: a date as its day, not as milliseconds. */
export function showField(field: string, value: FieldValue | null | undefined, zone: string): string {
  const isDay = SPECS[field]?.kind === 'date' && typeof value === 'string' && /^-?\d+$/u.test(value);
  return isDay ? isoIn(localTime(zone), Number(value)).slice(0, 10) : showValue(value);
}

function fieldText({ field, from, to }: FieldChange, zone: string): string {
  if (field === 'secrets') return 'secrets changed';
  const show = SPECS[field]?.kind === 'date' ? (value: typeof to) => showField(field, value, zone) : quote;
  return `${printable(field)} ${show(from)} → ${show(to)}`;
}

export function unitNote(change: UnitChange, words: FieldWords): string {
  const { kind, fields, why } = change;
  if (kind === 'create' && why.code === 'new') return '';
  const parts = [...changeTexts(fields, words), ...lossTexts(change)];
  return `   (${[say(why, words.names), ...parts].join('; ')})`;
}

/** Replaces the unit's id at the beginning of a spelled position by its name. */
function withName(position: string, names: ReadonlyMap<string, string>): string {
  for (let end = position.length; end > 0; end = position.lastIndexOf(' ', end - 1)) {
    const name = names.get(position.slice(0, end));
    if (name !== undefined) return name + printable(position.slice(end));
  }
  return printable(position);
}

/** A value before or after as a person reads it: a list of positions, or one text; `null`: nothing. */
export type SpelledValue = string | readonly string[] | null;

export interface SpelledField {
  readonly field: string;
  readonly from: SpelledValue;
  readonly to: SpelledValue;
}

/** Returns a field before and after, each value safe within a line, with units by name. */
export function spellField({ field, from, to }: FieldChange, { names, zone }: FieldWords): SpelledField {
  const spell = SPELLINGS[field] ?? ((value) => (value === null ? null : showField(field, value, zone)));
  return { field: printable(field), from: spell(from, names), to: spell(to, names) };
}

type Spelling = (value: FieldValue | null, names: ReadonlyMap<string, string>) => SpelledValue;

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  parent: (unit, names) => (typeof unit === 'string' ? showValue(names.get(unit) ?? unit) : 'the root'),
  positions: (value, names) =>
    Array.isArray(value) ? value.map((position: string) => withName(position, names)) : null,
};

function positionsText(change: FieldChange, words: FieldWords): string {
  const { from, to } = spellField(change, words);
  return `positions ${listText(from)} → ${listText(to)}`;
}

const listText = (value: SpelledValue): string =>
  Array.isArray(value) ? `[${listSome(value, { atMost: POSITIONS })}]` : showValue(null);

function parentText({ from, to }: FieldChange, { names, kind }: FieldWords): string {
  const spell = (unit: FieldValue | null, isThere: boolean): string =>
    typeof unit === 'string' ? quote(names.get(unit) ?? unit) : isThere ? 'the root' : quote(null);
  return `parent ${spell(from, kind !== 'create')} → ${spell(to, kind !== 'remove')}`;
}

/** Returns what changes, field by field, with units by name. */
export function changeTexts(fields: readonly FieldChange[], words: FieldWords): readonly string[] {
  return fields.map((field) => {
    if (field.field === 'parent') return parentText(field, words);
    return field.field === 'positions' ? positionsText(field, words) : fieldText(field, words.zone);
  });
}

/** Returns what the guard `lost` holds: what an import would clear for good, or a move would leave behind. */
export function lossTexts({ subject, loses }: UnitChange | PersonChange): readonly string[] {
  if (loses === undefined) return [];
  const names = loses.fields.map((field) => printable(field));
  const lost = `loses ${listSome(names, { atMost: LOST })}`;
  if (subject === 'unit')
    return [`${lost}, typed in in the service, which no call can write to its new node`];
  const condition = loses.certain ? '' : ', if the service clears what an import leaves out';
  return [`${lost}, not mapped and not to be sent back as shown${condition}`];
}

/** Returns both records side by side, then what would change: `"Old" (id) → "New" (id)`. */
function rekeyTexts({ id, fields, payload }: PersonChange, words: FieldWords): readonly string[] {
  const now = payload.fields['name'] ?? null;
  const [former, name] = ['id', 'name'].map((each) => fields.find(({ field }) => field === each));
  const before = name === undefined ? now : name.from;
  const others = fields.filter(({ field }) => field !== 'id' && field !== 'name');
  const from = former?.from ?? null;
  const both = `${from === FORGOTTEN ? from : `${quote(before)} (${showValue(from)})`} → ${quote(now)} (${printable(id)})`;
  return [both, ...changeTexts(others, words)];
}

const isPrimary = ({ primary }: Fields): number => Number(primary === true);

/** Returns a person's line in the plan: `username (Display Name)`, why, and what changes. */
export function personLine(change: PersonChange, words: FieldWords): string {
  const { kind, payload, why, fields } = change;
  const { names } = words;
  const head = changeLabel(change);
  if (kind === 'create') {
    const units = payload.positions
      .toSorted((a, b) => isPrimary(b.fields) - isPrimary(a.fields))
      .map(({ unit }) => (unit === null ? 'the root' : (names.get(unit) ?? printable(unit))));
    return `${head} in ${listSome(units, { atMost: POSITIONS })}`;
  }
  const parts = [
    ...(isRekey(change) ? rekeyTexts(change, words) : changeTexts(fields, words)),
    ...lossTexts(change),
  ];
  return `${head}  ${kind === 'update' ? '' : `${kind}: `}${[say(why, names), ...parts].join('; ')}`;
}
