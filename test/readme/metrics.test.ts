import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENTS, type EventName } from '../../src/domain/events.ts';
import { METRICS, type MetricSpec } from '../../src/http/metric-specs.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { RULES } from '../http/alert-rules.ts';
import { anchorsOf, withTables, ROOT, tableOf } from './page.ts';

const FILE = 'docs/monitoring.md';

function metrics(): string {
  const rows = Object.entries<MetricSpec>(METRICS).map(([name, { labels, about }]) => {
    const names = labels.length === 0 ? '' : `{${labels.join(',')}}`;
    return [`\`${name}${names}\``, about];
  });
  return tableOf(['metric', 'what it says'], rows);
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
  const standing = () => ({ reportOnly: 0, otherDaemons: 0, reloadRefused: 0 });
  const text = await new Metrics({ facts: () => facts, pace: () => 1, now: () => 0, standing }).text();
  const names = [...text.matchAll(/^# TYPE (?<name>\S+) (?<kind>\S+)$/gmu)].flatMap(({ groups }) => {
    const { name = '', kind } = groups ?? {};
    return kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
  });
  return new Set(names);
}

test('the alert rules and the dashboard ask for metrics that there are', async () => {
  const names = await known();
  const board = readFileSync(join(ROOT, 'config/grafana-dashboard.json'), 'utf8');
  const { panels } = JSON.parse(board) as {
    readonly panels: readonly {
      readonly title: string;
      readonly targets: readonly { readonly expr: string }[];
    }[];
  };
  const asked = [
    ...RULES.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
  expect(asked.length).toBeGreaterThan(15);
  for (const [title, expr] of asked) {
    const used = expr.match(NAME) ?? (title === 'RollcallDown' ? [] : [`none in ${title}`]);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  }
});

const BASE = 'https://rollcall.example.com/docs/';

test('each alert is explained, and leads to a heading of the docs', () => {
  const page = readFileSync(join(ROOT, FILE), 'utf8');
  for (const { alert, labels, annotations } of RULES) {
    expect(labels.severity).toMatch(/^(?:critical|warning)$/u);
    expect(annotations.summary).toMatch(/rollcall.* \{\{ \$labels\.instance \}\}/u);
    expect(page).toContain(`\`${alert}\``);
    const [file = '', anchor] = annotations.runbook_url.slice(BASE.length).split('#');
    expect(annotations.runbook_url).toBe(`${BASE}${file}#${anchor}`);
    expect(anchorsOf(`docs/${file}`)).toContain(anchor);
  }
});
