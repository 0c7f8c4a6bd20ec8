import type { Phase, Progress } from '../../domain/events.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { eitherSignal } from '../../lib/either-signal.ts';
import type { Run } from '../state/world.ts';
import { askEmployees, type Asked } from './ask-employees.ts';

/** What a refresh begins with. */
interface Begun {
  readonly root: Organization;
  /** When it began, ms on the service's clock. */
  readonly began: number;
  /** How many people were asked for already. */
  readonly asked: Asked;
  /** How many users there were before these were asked for; `null`: nobody was. */
  readonly users: number | null;
}

/** Questions to the service that are under way while the source is read. */
export interface LookAhead {
  /** Returns what was asked, once it is there, and shows how far it is until then; `null`: it was given up. */
  looked(): Promise<Begun | null>;
  /** Asks no more, and returns when nothing is under way any more. */
  giveUp(): Promise<void>;
}

/**
 * Begins to ask for everybody whom the ledger names, while the source is read: a full run asks for them in any case.
 * Whoever is to be written, and whom the source or the service names besides, is asked for after that. Returns `null` if
 * this is no full run. It writes to the view and to staging.
 */
export function lookAhead(run: Run): LookAhead | null {
  if (!run.full || run.isServiceSilent === true) return null;
  const given = new AbortController();
  const progress = laterProgress(run.progress);
  const looking = look({ ...run, progress, stop: eitherSignal(run.stop, given.signal) });
  // Whoever awaits it gets its error. If the read of the source fails before that, its own error is reported.
  looking.catch(() => undefined);
  return {
    async looked() {
      if (given.signal.aborted) return null;
      progress.show();
      return looking;
    },
    async giveUp() {
      given.abort();
      await looking.catch(() => undefined);
    },
  };
}

async function look(run: Run): Promise<Begun> {
  const begun = await beginRefresh(run);
  // The next run notices whoever is deleted from now on: it finds fewer users.
  const { totalCount: users } = await run.service.glance('users', null, run.stop);
  return { ...begun, users, asked: await askEmployees(run, 'known') };
}

/** Reads the root node, which also tells the time of the service's clock. */
export async function beginRefresh({ service, stop }: Run): Promise<Begun> {
  const root = await service.root(stop);
  return { root, began: service.now(), asked: { asked: 0, found: 0 }, users: null };
}

/** Shows nothing until `show`; then it shows what is left. */
function laterProgress(shown: Progress): Progress & { readonly show: () => void } {
  let [isShown, phase, left]: [boolean, Phase, number | null] = [false, 'refresh', null];
  return {
    show() {
      isShown = true;
      shown.start(phase, left);
    },
    start(next, total) {
      [phase, left] = [next, total];
      if (isShown) shown.start(phase, total);
    },
    advance(count = 1) {
      if (left !== null) left -= count;
      if (isShown) shown.advance(count);
    },
    end() {
      if (isShown) shown.end();
    },
  };
}
