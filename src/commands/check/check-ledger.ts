import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { sourceChange } from '../../domain/ports/source-identity.ts';
import { printable, printableText } from '../../domain/text/printable.ts';
import type { Part } from './part.ts';

export interface LedgerLook {
  readonly ledger: Ledger;
  readonly path: string;
  /** `domainId/orgCode`; a ledger with another binding would not have opened. */
  readonly binding: string;
  /** Identity of the source, as it is configured now. */
  readonly identity: string;
}

/** Returns what the ledger knows, from which a run with this configuration would start. */
export function checkLedger({ ledger, path, binding, identity }: LedgerLook): Part {
  const known = ledger.fact('identity');
  const place = printable(path);
  const { managed, disabled } = ledger.people.counts();
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  if (known === null) return { verdict: 'ok', head: `${place}: new, no run has ended yet`, lines: [] };
  const lines = [`${units} units and ${managed} people managed, ${disabled} disabled by us`];
  const head = `${place}: bound to ${printable(binding)}`;
  const change = sourceChange(known, identity);
  if (change === null) return { verdict: 'ok', head, lines: ['the source is the one it knows', ...lines] };
  const other = [
    `! the source is another than the one it knows: ${printableText(change)}`,
    '  a run holds everything until somebody approves it: rollcall plan shows how much of the ledger is found again',
  ];
  return { verdict: 'look', head, lines: [...other, ...lines] };
}
