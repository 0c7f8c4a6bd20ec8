import { timeNow } from '../../app.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Pin } from '../../domain/reverting/pin.ts';
import { foldName, foldUsername } from '../../domain/text/fold.ts';
import { listSome, printable } from '../../domain/text/printable.ts';

/**
 * Ends the hold of a person, of a unit, or of all records of a run that was reverted: the source decides about them
 * again. Returns what is said. Throws a ConfigError where nothing of that name is held.
 */
export function endHold(ledger: Ledger, name: string): readonly string[] {
  const pins = ledger.pins.active(timeNow().time);
  const meant = pins.filter((pin) => isMeant(pin, name));
  if (meant.length === 0) throw nothing(name, pins);
  if (meant.length > 1 && meant.some(({ run }) => run !== name)) throw several(name, meant);
  for (const { subject, id } of meant) ledger.pins.release(subject, id);
  const who = listSome(meant.map(labelOf));
  return [
    `No longer held from the source: ${who}. The next run decides about ${meant.length === 1 ? 'it' : 'them'} by the source again.`,
  ];
}

function isMeant({ subject, id, label, run }: Pin, name: string): boolean {
  if (run === name || id === name || `${subject}:${id}` === name) return true;
  return subject === 'person'
    ? foldUsername(label) === foldUsername(name)
    : foldName(label) === foldName(name);
}

const labelOf = ({ subject, label }: Pin): string =>
  subject === 'unit' ? `unit ${printable(label)}` : printable(label);

function nothing(name: string, pins: readonly Pin[]): ConfigError {
  const held = pins.length === 0 ? 'nothing is' : `these are: ${listSome(pins.map(labelOf))}`;
  return new ConfigError(`revert --release "${printable(name)}": not held from the source; ${held}`);
}

function several(name: string, pins: readonly Pin[]): ConfigError {
  const keys = pins.map(({ subject, id }) => `'${subject}:${printable(id)}'`);
  return new ConfigError(
    `revert --release "${printable(name)}" names ${pins.length} records: give one of ${listSome(keys)}`,
  );
}
