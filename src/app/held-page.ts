import { closeSync, openSync, rmSync } from 'node:fs';
import { bindingOf, type App } from '../app.ts';
import type { Log } from '../domain/events.ts';
import type { Attachment } from '../domain/ports/messenger.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { sentenceOf } from '../domain/sentence-of.ts';
import { systemClock } from '../lib/clock.ts';
import { writeTexts } from '../lib/write-texts.ts';
import { discreetChanges, discreetPlan } from '../page/discreet-plan.ts';
import { planPage } from '../page/plan-page.ts';
import type { RunRequest } from '../sync/state/run-request.ts';

type OnPlan = NonNullable<RunRequest['onPlan']>;

/** The plan of a run as a page, made where a message about what it holds may be news. */
export interface HeldPage {
  readonly onPlan: OnPlan;
  /** Returns the page; `null`: nobody needs it. */
  readonly page: () => Attachment | null;
  /** Removes the file. */
  readonly end: () => void;
}

/**
 * Prepares the page beside the ledger, always under the same name: what a crash left there is written over. Returns
 * `null` where nobody is sent one.
 */
export function heldPage({ settings, log }: Pick<App, 'settings' | 'log'>, ledger: Ledger): HeldPage | null {
  if (settings.notify?.page !== true || !settings.notify.on.includes('held')) return null;
  const path = `${settings.state.path}.plan.html`;
  let page: Attachment | null = null;
  return {
    onPlan(plan, book, tree) {
      const told = ledger.fact('notified')?.held ?? {};
      if (plan.held.every(({ hash }) => told[hash] !== undefined)) return;
      const about = bindingOf(settings);
      const changes = discreetChanges(book.sequencedChanges());
      const { leavers } = settings.sync;
      const parts = { plan: discreetPlan(plan), tree, changes, leavers, about, madeAt: systemClock.now() };
      if (isWritten({ path, log }, planPage(parts)))
        page = { path, name: `rollcall-plan-${plan.hash}.html`, contentType: 'text/html' };
    },
    page: () => page,
    end: () => {
      rmSync(path, { force: true });
    },
  };
}

/** Writes the page for its owner alone. A disk that is full costs the page, and not the run. */
function isWritten({ path, log }: { path: string; log: Log }, texts: Iterable<string>): boolean {
  try {
    rmSync(path, { force: true });
    const file = openSync(path, 'wx', 0o600);
    try {
      writeTexts(file, texts);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    log.note('warn', 'the page of the plan could not be written', { file: path, reason: sentenceOf(error) });
    return false;
  }
}
