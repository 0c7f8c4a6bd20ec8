import { rmSync } from 'node:fs';
import type { App } from './app.ts';
import { bindingOf } from './setup.ts';
import { sentenceOf } from '../domain/errors.ts';
import { systemClock } from '../lib/clock.ts';
import { replaceFile } from '../lib/replace-file.ts';
import { discreetChanges, discreetPlan } from '../page/discreet-plan.ts';
import { planPage, type PageInput } from '../page/plan-page.ts';
import type { RunRequest } from '../sync/state/run-request.ts';

export type OnPlan = (...planned: Parameters<NonNullable<RunRequest['onPlan']>>) => void;

interface Place extends Pick<App, 'settings' | 'log' | 'command'>, Pick<PageInput, 'atMost'> {
  readonly path: string;
}

/**
 * Writes the discreet page of a plan for its owner alone, whole or not at all. A disk that is full costs the page, and
 * not the run.
 */
export function isWritten(
  { settings, log, path, ...more }: Place,
  [plan, book, tree, run]: Parameters<OnPlan>,
): boolean {
  const about = bindingOf(settings);
  const changes = () => discreetChanges(book.sequencedChanges());
  const { leavers } = settings.sync;
  const input = { plan: discreetPlan(plan), tree, changes, leavers, about, run, madeAt: systemClock.now() };
  try {
    const part = `${path}.part`;
    rmSync(part, { force: true });
    replaceFile({ path, part, mode: 0o600 }, planPage({ ...input, ...more }));
    return true;
  } catch (error) {
    log.note('warn', 'the page of the plan could not be written', { file: path, reason: sentenceOf(error) });
    return false;
  }
}
