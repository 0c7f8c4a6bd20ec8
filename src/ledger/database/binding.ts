import { boundProblem } from './problems.ts';
import type { Database } from './database.ts';
import { factOf, setFact } from './facts.ts';

/**
 * Binds a new ledger to the service and organization, `domainId/orgCode`. Throws a ConfigError if it is bound to
 * another.
 */
export function bind(db: Database, binding: string): void {
  db.transaction(() => {
    if (!requireBinding(db, binding)) setFact(db, 'binding', binding);
  });
}

/** Returns whether the file is bound at all; throws a ConfigError if it is bound to another organization. */
export function requireBinding(db: Database, binding: string): boolean {
  const bound = factOf(db, 'binding');
  if (bound === null || bound === binding) return bound !== null;
  throw boundProblem('ledger-other-organization', { path: db.path, bound, binding });
}
