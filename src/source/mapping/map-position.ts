import { POSITION_FIELDS } from '../../domain/records/fields.ts';
import type { Loss, Position, PositionRow, Reading } from '../../domain/records/records.ts';
import type { PositionQueryRules, PositionRules } from '../../domain/source-settings.ts';
import { choicesIn, compileFields, readFields, type FieldReader } from './field-reader.ts';
import { compileRule, refuse, whereKnown, type Rule } from './rules/rule.ts';
import { readable, required, scoped, type Mapper, type MappingOptions } from './mapper.ts';
import type { RawRecord } from './values/raw-record.ts';
import { Scope, type Dialect } from './rules/scope.ts';

/** Reads one entry of `positions`: a position for every value of `unit`. */
export interface PositionReader {
  /** Returns the positions; throws a `FieldProblem` if the unit cannot be read. */
  read(raw: RawRecord, losses: Loss[]): readonly Position[];
}

const NONE: readonly Position[] = [];

export function compilePosition(rules: PositionRules, scope: Scope): PositionReader {
  const unit = compileRule(rules.unit, { path: scope.path, field: 'unit' }, scope);
  const { job_title, primary, chief, source_type } = rules;
  const fields = compileFields({ job_title, primary, chief, source_type }, POSITION_FIELDS, scope);
  const { dialect } = scope;
  return { read: (raw, losses) => readPositions(unit, fields, { raw, dialect, losses }) };
}

function readPositions(
  unit: Rule,
  fields: readonly FieldReader[],
  { raw, dialect, losses }: { readonly raw: RawRecord; readonly dialect: Dialect; readonly losses: Loss[] },
): readonly Position[] {
  const units = whereKnown(() => unit.all(raw)) ?? [];
  if (units.length === 0) return NONE;
  const own: Loss[] = [];
  const values = readFields(fields, raw, own);
  for (const { field, reason } of own) losses.push({ field: `positions.${field}`, reason });
  const choices = choicesIn(fields, raw);
  return units.map((text) => {
    const ref = dialect.canonicalRef(text);
    return { unit: dialect.isRoot(ref) ? null : ref, fields: values, ...choices };
  });
}

/** Maps rows of a positions query: to several positions for a list of units. */
type PositionRowMapper = Mapper<readonly PositionRow[]>;

export function compilePositionRows(
  rules: PositionQueryRules,
  dialect: Dialect,
  options: MappingOptions = {},
): PositionRowMapper {
  const scope = new Scope('source.positions.fields', scoped(dialect, options));
  const person = compileRule(rules.person, { path: scope.path, field: 'person' }, scope);
  const reader = compilePosition(rules, scope);
  return {
    columns: scope.columns.all,
    secretNames: new Set(),
    map: (raw) => mapRow(raw, person, typeof rules.unit === 'string' ? naming(reader) : reader),
  };
}

/** Of a row that has nothing under the name of its unit: no unit has this reference, so that the row is listed. */
const NAMELESS: readonly Position[] = [{ unit: '', fields: {} }];

/** An expression may leave out a row; a name has to have a value. */
const naming = (reader: PositionReader): PositionReader => ({
  read: (raw, losses) => {
    const positions = reader.read(raw, losses);
    return positions.length === 0 ? NAMELESS : positions;
  },
});

function mapRow(raw: RawRecord, personRule: Rule, reader: PositionReader): Reading<readonly PositionRow[]> {
  let id: string | null = null;
  const refs: string[] = [];
  try {
    const losses: Loss[] = [];
    const positions = reader.read(raw, losses);
    for (const { unit } of positions) if (unit !== null) refs.push(unit);
    const person = required(personRule, raw);
    id = person;
    const lost = losses.length === 0 ? {} : { losses };
    return { ok: true, record: positions.map((position) => ({ person, position, ...lost })) };
  } catch (error) {
    return refuse(error, { subject: 'position', id: id ?? readable(personRule, raw), raw, unitRefs: refs });
  }
}
