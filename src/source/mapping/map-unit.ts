import { UNIT_FIELDS } from '../../domain/records/fields.ts';
import { forPlace, type Loss, type Unit } from '../../domain/records/records.ts';
import type { UnitRules } from '../../domain/source-settings.ts';
import { choicesIn, compileFields, readFields, requireField } from './field-reader.ts';
import { compileRule, FieldProblem, refuse, whereKnown, type Rule } from './rules/rule.ts';
import {
  identity,
  readableId,
  readable,
  scoped,
  visible,
  type Mapper,
  type MappingOptions,
} from './mapper.ts';
import { conditionOf, Scope, type Condition, type Dialect } from './rules/scope.ts';
import { decisiveIn } from './decisive.ts';
import type { RawRecord } from './values/raw-record.ts';

interface CompiledUnit {
  readonly id: Rule;
  readonly refs: readonly Rule[];
  readonly parent: Rule | null;
}

/** Fields that tell a unit from others in the service. */
const REQUIRED = ['name', 'serial_no'];

export function compileUnits(rules: UnitRules, dialect: Dialect, options: MappingOptions = {}): Mapper<Unit> {
  const scope = new Scope('source.units.fields', scoped(dialect, options));
  const compiled = compileIdentity(rules, scope);
  const fields = compileFields(rules.fields, UNIT_FIELDS, scope);
  const toUnit = (raw: RawRecord, id: string, refs: readonly string[]): Unit => {
    const parent = parentOf(compiled.parent, raw, { refs, dialect });
    const losses: Loss[] = [];
    const values = readFields(fields, raw, losses);
    for (const field of REQUIRED) requireField(field, losses);
    if (!values['name']) throw new FieldProblem('name', 'is empty; a unit needs a name');
    const unit: Unit = { id, refs, parent, fields: values, ...choicesIn(fields, raw) };
    return losses.length === 0 ? unit : { ...unit, losses };
  };
  const nameRule = compileRule(rules.fields['name'] ?? rules.id, { path: scope.path, field: 'name' }, scope);
  const where = conditionOf(options.where, 'source.units', scope);
  const deciding = [
    ...readAt(scope, 'source.units.where').map((name) => ({ column: name, name })),
    ...readAt(scope, `${scope.path}.parent`).map((name) => ({ column: name, name: forPlace(name) })),
  ];
  return {
    columns: scope.columns.all,
    secretNames: new Set(),
    map: (raw) => {
      let refs: readonly string[] = [];
      try {
        refs = refsOf(compiled.refs, raw, dialect);
        const isOutside = where?.holds(raw) === false;
        const record = isOutside
          ? outside(raw, refs, { ...compiled, where, name: nameRule })
          : toUnit(raw, visible('id', identity(compiled.id, raw)), refs);
        return { ok: true, record, has: decisiveIn(raw, deciding) };
      } catch (error) {
        const [id, label] = [readableId(compiled.id, raw), readable(nameRule, raw)];
        return refuse(error, { subject: 'unit', id, label, unitRefs: refs, raw });
      }
    },
  };
}

interface Scoping extends Pick<CompiledUnit, 'id'> {
  readonly name: Rule;
  readonly where: Condition;
}

/** Returns a unit that is out of scope, with what others name it by: they say so. */
function outside(raw: RawRecord, refs: readonly string[], { id, where, name }: Scoping): Unit {
  const called = readable(name, raw);
  const fields: Unit['fields'] = called === null ? {} : { name: called };
  return { id: readableId(id, raw) ?? '', refs, parent: null, fields, outOfScope: where.text };
}

/** Returns the names that the rule in this place of the configuration reads. */
const readAt = ({ columns }: Scope, place: string): readonly string[] =>
  columns.all.flatMap(({ name, places }) => (places.includes(place) ? [name] : []));

function compileIdentity(rules: UnitRules, scope: Scope): CompiledUnit {
  const { path, dialect } = scope;
  const parent = rules.parent ?? dialect.defaultParent;
  const refs = rules.refs ?? dialect.defaultRefs(rules.id);
  return {
    id: compileRule(rules.id, { path, field: 'id' }, scope),
    refs: refs.map((rule) => compileRule(rule, { path, field: 'refs' }, scope)),
    parent: parent === null ? null : compileRule(parent, { path, field: 'parent' }, scope),
  };
}

function refsOf(rules: readonly Rule[], raw: RawRecord, dialect: Dialect): readonly string[] {
  const refs = rules
    .flatMap((rule) => whereKnown(() => rule.all(raw)) ?? [])
    .map((text) => dialect.canonicalRef(text));
  return [...new Set(refs)];
}

interface Parenting {
  readonly refs: readonly string[];
  readonly dialect: Dialect;
  /** Whether a canonical reference means that there is no parent. */
}

function parentOf(rule: Rule | null, raw: RawRecord, { refs, dialect }: Parenting): string | null {
  const text = rule?.first(raw);
  if (text === undefined) return null;
  const parent = dialect.canonicalRef(text);
  return refs.includes(parent) || dialect.isTop(parent) ? null : parent;
}
