import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { EVENTS, type EventName } from '../../src/domain/events.ts';
import { METRICS, type MetricSpec } from '../../src/http/metric-specs.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { withTables, ROOT, tableOf } from './page.ts';

const FILE = 'docs/monitoring.md';

function metrics(): string {
  const rows = Object.entries<MetricSpec>(METRICS).map(([name, { kind, labels, about }]) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return [`\`${name}\``, kind, names, about];
  });
  return tableOf(['metric', 'kind', 'labels', 'what it says'], rows);
}

function events(): string {
  const names = Object.keys(EVENTS) as EventName[];
  return tableOf(
    ['event', 'what it says'],
    names.map((name) => [`\`${name}\``, EVENTS[name].about]),
  );
}

test('docs/monitoring.md has the metrics and the events of the code', async () => {
  const tables = { 'metrics table': metrics(), 'log table': events() };
  const { is, made } = await withTables(FILE, tables);
  expect(is, 'run `npm run readme`').toBe(made);
});

const NAME = /\b(?:rollcall|process|nodejs)_[a-z\d_]+\b/gu;

async function known(): Promise<ReadonlySet<string>> {
  const facts = {
    lastGood: 0,
    lastFull: 0,
    managed: { units: 0, people: 0, disabled: 0 },
    leaversInside: 0,
  };
  const text = await new Metrics({ facts: () => facts, pace: () => 1, now: () => 0 }).text();
  const names = [...text.matchAll(/^# TYPE (?<name>\S+) (?<kind>\S+)$/gmu)].flatMap(({ groups }) => {
    const { name = '', kind } = groups ?? {};
    return kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
  });
  return new Set(names);
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

test('the alert rules and the dashboard ask for metrics that there are', async () => {
  const names = await known();
  const rules = (parse(readFileSync(join(ROOT, 'config/alerts.yaml'), 'utf8')) as Rules).groups.flatMap(
    (group) => group.rules,
  );
  const board = readFileSync(join(ROOT, 'config/grafana-dashboard.json'), 'utf8');
  const { panels } = JSON.parse(board) as {
    readonly panels: readonly {
      readonly title: string;
      readonly targets: readonly { readonly expr: string }[];
    }[];
  };
  const asked = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
  expect(asked.length).toBeGreaterThan(15);
  for (const [title, expr] of asked) {
    const used = expr.match(NAME) ?? [`none in ${title}`];
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  }
  const page = readFileSync(join(ROOT, FILE), 'utf8');
  for (const { alert, annotations } of rules) {
    expect(annotations.summary).toMatch(/rollcall/u);
    expect(page).toContain(alert);
  }
});
