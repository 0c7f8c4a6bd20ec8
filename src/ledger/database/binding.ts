import { ConfigError } from '../../domain/errors.ts';
import { json, type Database } from './database.ts';

/**
 * Binds a new ledger to the service and organization, `domainId/orgCode`. Throws a ConfigError if it is bound to
 * another.
 */
export function bind(db: Database, binding: string): void {
  if (requireBinding(db, binding)) return;
  db.sql(`INSERT OR IGNORE INTO fact VALUES ('binding', ?)`).run(JSON.stringify(binding));
  requireBinding(db, binding);
}

/** Returns whether the file is bound at all; throws a ConfigError if it is bound to another organization. */
export function requireBinding(db: Database, binding: string): boolean {
  const row = db.sql(`SELECT value FROM fact WHERE name = 'binding'`).get();
  if (row === undefined) return false;
  const bound = json<string>(row, 'value');
  if (bound === binding) return true;
  throw new ConfigError(
    `ledger ${db.path}: belongs to "${bound}", but the configuration names "${binding}" ` +
      '(service.domainId/service.orgCode); set them back, or use another state.path for another organization',
  );
}
