import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS, type MetricSpec } from '../../src/http/metric-specs.ts';
import { Metrics } from '../../src/http/metrics.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const FILE = join(ROOT, 'docs/metrics.md');

const INTRODUCTION = `# Metrics

Made from [src/http/metric-specs.ts](../src/http/metric-specs.ts) by \`npm run readme\`. The daemon
answers \`/metrics\` where \`http.listen\` is configured. The metrics of Node.js itself (\`process_…\`, \`nodejs_…\`:
memory, event loop lag, garbage collection) come with them. Counters begin anew with the process.

[config/alerts.yaml](../config/alerts.yaml) has alert rules for Prometheus,
[config/grafana-dashboard.json](../config/grafana-dashboard.json) a dashboard for Grafana.
`;

function made(): string {
  const rows = Object.entries<MetricSpec>(METRICS).map(([name, { kind, labels, about }]) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${names} | ${about} |`;
  });
  return [
    INTRODUCTION,
    '| metric | kind | labels | what it says |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

test('docs/metrics.md is made from the code', async () => {
  const text = await format(made(), { parser: 'markdown', printWidth: 110, singleQuote: true });
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', 'run `npm run readme`').toBe(text);
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
  for (const { annotations } of rules) expect(annotations.summary).toMatch(/rollcall/u);
});
