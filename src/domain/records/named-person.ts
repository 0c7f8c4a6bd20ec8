import { printable } from '../text/printable.ts';
import type { ComparedPerson } from './payload.ts';

type Known = Pick<ComparedPerson, 'id' | 'username' | 'payload'>;

/** A person as texts name them. */
export interface NamedPerson {
  /** Source id. */
  readonly id: string;
  /** Username, else the id. */
  readonly label: string;
  /** Display name, if it is known. */
  readonly name?: string | undefined;
}

/** Returns a person as `username (Display Name)`; with `id`, the id is named as well. */
export function personName({ id: own, label, name = '' }: NamedPerson, id?: 'id'): string {
  const more = [name, id === undefined ? '' : own].filter((text) => text !== '' && text !== label);
  const inBrackets = more.map((text) => printable(text)).join(', ');
  return inBrackets === '' ? printable(label) : `${printable(label)} (${inBrackets})`;
}

/** Returns the person of a change, as texts name them. */
export function personOf({ id, username: label, payload }: Known): NamedPerson {
  const { name } = payload.fields;
  return typeof name === 'string' ? { id, label, name } : { id, label };
}
