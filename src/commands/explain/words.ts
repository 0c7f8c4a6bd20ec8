import type { Settlement } from '../../domain/ports/ledger/journal.ts';

export function releaseCommand(hash: string): string {
  return `rollcall sync --approve ${hash}`;
}

const OUTCOMES = {
  unit: 'done',
  unitGone: 'gone',
  moved: 'done',
  aside: 'done',
  noted: 'done',
  swept: 'old node gone',
  imported: 'done',
  modified: 'done',
  disabled: 'done',
  enabled: 'done',
  personGone: 'gone',
  vanished: 'gone',
  reopened: 'in doubt',
  failed: 'refused',
  unconfirmed: 'not shown',
  doubt: 'in doubt',
} as const satisfies Record<Settlement['is'], string>;

/** Returns what became of a call, in an administrator's words. */
export function outcomeText(outcome: string): string {
  const words: Readonly<Record<string, string>> = OUTCOMES;
  return words[outcome] ?? outcome;
}
