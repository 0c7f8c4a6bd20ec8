import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../readme/page.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
}

export const ALERTS_FILE = join(ROOT, 'config/alerts.yaml');

/** The alerts that come with rollcall. */
export const RULES = (parse(readFileSync(ALERTS_FILE, 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);
