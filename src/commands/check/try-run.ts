import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import { runDry, type DryReport } from '../../app/runs.ts';
import type { Plan } from '../../domain/changes.ts';
import { ConfigError, LedgerError, SourceError, StoppedError } from '../../domain/errors.ts';
import type { Source } from '../../domain/reading/source.ts';
import type { PropertyValues } from './property-values.ts';
import type { Survey } from './survey-result.ts';
import { surveyed } from './survey.ts';

const SAMPLES = 3;

/** What a run would read, and what it would do. */
export interface Tried {
  readonly survey: Survey;
  /** `null`: the read does not count. */
  readonly plan: Plan | null;
  /** Why it does not count; `null`: it does. */
  readonly error: SourceError | null;
}

interface Look {
  readonly source: Source;
  readonly values: PropertyValues;
}

/**
 * Makes the plan that a run would make, on a copy of the ledger; where the service does not answer, beside what the ledger
 * last saw of it. Throws what ended a read before its end.
 */
export async function tryRun(app: App, { source, values }: Look, signal: AbortSignal): Promise<Tried> {
  const looked = surveyed(source, { samples: SAMPLES, values });
  let plan: Plan | null = null;
  const onPlan = (made: Plan): void => void (plan = made);
  const dry = (isServiceSilent: boolean): Promise<DryReport> => {
    const beside = { source: looked.source, isServiceSilent };
    const request = { full: false, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
    return runDry(app, request, signal, beside).catch((error: unknown) => {
      // A ledger that cannot be opened has a part of its own.
      if (!(error instanceof LedgerError || error instanceof ConfigError)) throw error;
      return runDry(withoutLedger(app), request, signal, beside);
    });
  };
  const first = await dry(false);
  const read = looked.survey();
  if (first.error instanceof SourceError && read !== null)
    return { survey: read, plan: null, error: first.error };
  const isAnswered = first.error === null || read === null || first.error instanceof StoppedError;
  const last = isAnswered ? first : await dry(true);
  const survey = looked.survey();
  if (last.error !== null || survey === null) throw last.error;
  return { survey, plan, error: null };
}

/** A copy of the ledger that is not there is an empty one. */
function withoutLedger(app: App): App {
  const path = join(tmpdir(), `rollcall-check-${randomUUID()}.db`);
  return { ...app, settings: { ...app.settings, state: { ...app.settings.state, path } } };
}
