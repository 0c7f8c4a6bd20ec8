import { rmSync } from 'node:fs';
import { bindingOf, type App } from '../app.ts';
import { systemClock } from '../lib/clock.ts';
import { discreetChanges, discreetPlan } from '../page/discreet-plan.ts';
import { planPage } from '../page/plan-page.ts';
import type { RunRequest } from '../sync/state/run-request.ts';
import { isWritten } from './write-page.ts';

/** How many changes the page lists: a browser opens so many at once, and writing them holds no run up. */
const MOST_CHANGES = 5_000;

/** Returns the file next to the ledger with the plan of the last run as a page. */
export const lastPlanFile = (statePath: string): string => `${statePath}.last-plan.html`;

export const forgetLastPlan = (statePath: string): void => rmSync(lastPlanFile(statePath), { force: true });

/** Returns what keeps the plan of a run for the console. Without a console, no plan is kept. */
export function keepLastPlan({
  settings,
  log,
}: Pick<App, 'settings' | 'log'>): NonNullable<RunRequest['onPlan']> {
  const path = lastPlanFile(settings.state.path);
  if (settings.http?.console === undefined) {
    forgetLastPlan(settings.state.path);
    return () => undefined;
  }
  const about = bindingOf(settings);
  const { leavers } = settings.sync;
  return (plan, book, tree) => {
    const changes = discreetChanges(book.sequencedChanges());
    const page = { plan: discreetPlan(plan), tree, changes, leavers, about, atMost: MOST_CHANGES };
    isWritten({ path, log }, planPage({ ...page, madeAt: systemClock.now() }));
  };
}
