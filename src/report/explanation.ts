import type { Change } from '../domain/changes.ts';
import { showValue } from '../domain/ports/service.ts';
import type { PositionSample, Sample, SourceRules } from '../domain/reading/source.ts';
import { PERSON_FIELDS, type Fields, type FieldSpec, type FieldValue } from '../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition, UnitPayload } from '../domain/records/payload.ts';
import type { Person, Unit } from '../domain/records/records.ts';
import { printable } from '../domain/text/printable.ts';
import { changeTexts, lossTexts } from '../plan/words/describe-change.ts';
import { say } from '../domain/words/say.ts';
import { nameUnits, type UnitLabels } from '../plan/words/unit-labels.ts';
import type { Findings, KnownRecord, SeenInService, UnitNames } from './known-record.ts';
import type { FoundSample, Live } from './live.ts';

/** Returns a rule of the configuration in one line: an expression may have many. */
export function ruleText(rule: string): string {
  return printable(rule.replaceAll(/\s+/gu, ' '));
}

/** Says by which expression a record is out of scope. */
function scopeText(record: Unit | Person): string {
  const part = 'username' in record ? 'people' : 'units';
  return `out of scope by source.${part}.where: ${ruleText(record.outOfScope ?? '')}`;
}

/** One mapped field: its rule, and its value wherever it is known. */
export interface FieldRow {
  readonly field: string;
  readonly rule: string;
  /** Whether the field is secret; then its values are in none of the other keys. */
  readonly secret: boolean;
  /** Value as last sent; `null`: absent; no key: the ledger does not keep it. */
  readonly sent?: FieldValue | null;
  /** Value in the source now, where it was asked. */
  readonly source?: FieldValue | null;
  /** Value in the service, where the service shows it. */
  readonly service?: FieldValue | null;
}

/** One position, with the name of its unit. */
export interface PositionRow {
  readonly unit: string;
  /** Position as last sent, e.g. `Engineer, primary`; `null`: not sent by us. */
  readonly sent: string | null;
  /** Position as the service shows it; `null`: it has no such position; no key: the service was not seen. */
  readonly service?: string | null;
}

/** A record of the source as it was read, without secrets. */
export interface RawSample {
  /** Source id; `null`: it cannot be read, or this is a row of positions. */
  readonly id: string | null;
  readonly place: string;
  readonly raw: Sample['raw'];
  /** Why it cannot be used, or `null`. */
  readonly refused: string | null;
  /** By which setting it is out of scope, or `null`. */
  readonly outOfScope: string | null;
}

export interface LivePart {
  readonly samples: readonly RawSample[];
  /** Rows of a separate positions query. */
  readonly positions: readonly RawSample[];
  readonly change: (Pick<Change, 'kind' | 'fields' | 'guard'> & { readonly why: string }) | null;
  /** Change in words, field by field. */
  readonly changes: readonly string[];
  readonly isHeld: boolean;
  readonly problems: readonly string[];
}

/** What `explain` says about one record; `--json` prints it as it is. It has no value of a secret in it. */
export interface Explanation extends Omit<KnownRecord, 'sent'>, Findings {
  readonly fields: readonly FieldRow[];
  readonly positionRules: Readonly<Record<string, string>>;
  readonly positions: readonly PositionRow[];
  readonly live: LivePart | null;
}

export interface ExplanationInput {
  readonly record: KnownRecord;
  readonly findings: Findings;
  readonly names: UnitNames;
  readonly rules: SourceRules;
  /** Zone in which days are shown. */
  readonly zone: string;
  readonly live: Live | null;
}

export function explanationOf(input: ExplanationInput): Explanation {
  const { record, findings, names, rules, live } = input;
  const { sent, ...facts } = record;
  const { subject, leftBy, state } = record;
  const payload = state === null ? (live?.planned?.change?.payload ?? null) : sent;
  const notes = findings.notes.map((note) => ({ ...note, reason: nameUnits(note.reason, names.labels) }));
  return {
    ...facts,
    ...findings,
    notes,
    leftBy: leftBy === null ? null : nameOf(leftBy, names),
    fields: fieldRows(input),
    positionRules: subject === 'person' ? rules.position : {},
    positions: subject === 'person' ? positionRows(placedIn(payload), record.seen, names) : [],
    live: live === null ? null : livePart(live, input),
  };
}

const nameOf = (unit: string | null, { labels }: UnitNames): string =>
  unit === null ? '(root)' : (labels.get(unit) ?? printable(unit));

const placedIn = (payload: PersonPayload | UnitPayload | null): readonly PlacedPosition[] =>
  payload !== null && 'positions' in payload ? payload.positions : [];

function livePart(
  { samples, positions, planned, problems }: Live,
  { names, zone }: ExplanationInput,
): LivePart {
  const { labels } = names;
  const change = planned?.change ?? null;
  return {
    samples: samples.map(rawOf),
    positions: positions.map(rawOf),
    change: change === null ? null : briefly(change, labels),
    changes:
      change === null ? [] : [...changeTexts(change.fields, { names: labels, zone }), ...lossTexts(change)],
    isHeld: planned?.isHeld === true,
    problems,
  };
}

const briefly = ({ kind, why, fields, guard }: Change, labels: UnitLabels) => ({
  kind,
  why: say(why, labels),
  fields,
  guard,
});

type AnySample = (Sample | PositionSample) & Pick<FoundSample, 'excludedBy'>;

function rawOf({ place, raw, reading, excludedBy }: AnySample): RawSample {
  const { ok } = reading;
  const id = ok ? ('id' in reading.record ? reading.record.id : null) : reading.refusal.id;
  const refused = ok ? null : `${reading.refusal.field}: ${reading.refusal.reason}`;
  const isOut = ok && 'outOfScope' in reading.record && reading.record.outOfScope !== undefined;
  return { id, place, raw, refused, outOfScope: excludedBy ?? (isOut ? scopeText(reading.record) : null) };
}

type Values = Readonly<Record<string, FieldValue | null>>;

const SPECS: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;

/** Returns a row for every mapped field, in the order of the rules. */
function fieldRows({ record, rules, names, live }: ExplanationInput): readonly FieldRow[] {
  const sent = sentValues(record, names);
  const source = sourceValues(record, live);
  const shown: Values = record.seen === null ? {} : spread(record.seen.fields);
  return Object.entries(rules[record.subject]).map(([field, rule]): FieldRow => {
    if (SPECS[field.split('.')[0] ?? field]?.secret === true) return { field, rule, secret: true };
    return {
      field,
      rule,
      secret: false,
      ...(field in sent && { sent: sent[field] ?? null }),
      ...(field in source && { source: source[field] ?? null }),
      // The service shows the id of a media, which tells nothing about the picture.
      ...(field in shown && field !== 'logo' && { service: shown[field] ?? null }),
    };
  });
}

function sentValues({ sent, id, label, state }: KnownRecord, names: UnitNames): Values {
  if (sent === null) return {};
  if ('parent' in sent) return { ...spread(sent.fields), id, parent: nameOf(sent.parent, names) };
  const active = state !== 'removed' && { active: state !== 'disabled' };
  return { ...spread(sent.fields), id, username: label, ...active };
}

/** Returns the record as the source has it now, where it was asked and can be used. */
function sourceValues({ id }: KnownRecord, live: Live | null): Values {
  const records = live?.samples.flatMap(({ reading }) => (reading.ok ? [reading.record] : [])) ?? [];
  const record = records.find((candidate) => candidate.id === id && candidate.outOfScope === undefined);
  return record === undefined ? {} : { ...spread(record.fields), ...identityOf(record), id };
}

const identityOf = (record: Unit | Person): Values =>
  'username' in record ? { username: record.username, active: record.active } : { refs: record.refs };

/** Returns all values by field name; of `properties` and `tag_names` each value has a rule of its own. */
function spread(fields: Fields): Values {
  const innerFields = ['properties', 'tag_names'].flatMap((name) => {
    const value = fields[name] ?? null;
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner] as const) : [];
  });
  return { ...fields, ...Object.fromEntries(innerFields) };
}

/** Returns our positions, then those that only the service has. */
function positionRows(
  placed: readonly PlacedPosition[],
  seen: SeenInService | null,
  names: UnitNames,
): readonly PositionRow[] {
  const fieldsByOrg = new Map(seen?.positions.map(({ orgId, fields }) => [orgId, fields]));
  const ours = placed.map(({ unit, fields }): PositionRow => {
    const row = { unit: nameOf(unit, names), sent: textOf(fields) };
    const inService = fieldsByOrg.get(names.orgIdOf(unit) ?? '');
    const mapped = Object.entries(inService ?? {}).filter(([name]) => name === 'primary' || name in fields);
    const service = inService === undefined ? null : textOf(Object.fromEntries(mapped));
    return seen === null ? row : { ...row, service };
  });
  for (const { unit } of placed) fieldsByOrg.delete(names.orgIdOf(unit) ?? '');
  const serviceOnly = [...fieldsByOrg].map(([orgId, fields]) => ({
    unit: nameOf(orgId, names),
    sent: null,
    service: textOf(fields),
  }));
  return [...ours, ...serviceOnly];
}

function textOf(fields: Fields): string {
  const texts = Object.entries(fields).flatMap(([name, value]) => {
    if (name === 'primary' || value === null || value === '' || value === false) return [];
    const valueTexts = value === true ? [] : [showValue(value)];
    return [[...(name === 'job_title' ? [] : [printable(name)]), ...valueTexts].join(' ')];
  });
  const all = [...texts.toSorted(), ...(fields['primary'] === true ? ['primary'] : [])];
  return all.length === 0 ? '(member)' : all.join(', ');
}
