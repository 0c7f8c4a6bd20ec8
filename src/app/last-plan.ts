import { rmSync } from 'node:fs';
import type { App } from './app.ts';
import { isWritten, type OnPlan } from './write-page.ts';

/** How many changes the page lists: a browser opens so many at once, and writing them holds no run up. */
const MOST_CHANGES = 5_000;

/** Returns the file next to the ledger with the plan of the last run as a page. */
export const lastPlanFile = (statePath: string): string => `${statePath}.last-plan.html`;

export const forgetLastPlan = (statePath: string): void => rmSync(lastPlanFile(statePath), { force: true });

/** Returns what keeps the plan of a run for the console. Without a console, no plan is kept. */
export function keepLastPlan({ settings, ...app }: Pick<App, 'settings' | 'log' | 'command'>): OnPlan {
  const path = lastPlanFile(settings.state.path);
  if (settings.http?.console === undefined) {
    forgetLastPlan(settings.state.path);
    return () => undefined;
  }
  return (...planned) => void isWritten({ ...app, settings, path, atMost: MOST_CHANGES }, planned);
}
