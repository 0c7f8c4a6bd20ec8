import { hash } from 'node:crypto';

import type { Spot } from '../../../domain/records/recognition.ts';
import { canonicalDn } from './dn.ts';
import { remembering } from './remembering.ts';

/** 96 bits: no two entries of a directory have the same ones. */
const CHARACTERS = 16;

/** Many people are below the same entry. */
const above = remembering(canonicalDn);

/** What most people are called: nothing of it but its case has another spelling. */
const PLAIN = /^(?:uid|cn|mail|employeenumber)=[\w.@'()-]+(?: [\w.@'()-]+)*$/i;

/** Returns what tells the place of this entry from all others, however its DN is spelled. */
export function spotOf(dn: string): Spot {
  return hash('sha256', spelled(dn) ?? dn, 'base64url').slice(0, CHARACTERS);
}

/** Returns the canonical spelling, in two parts where a comma is nothing but the end of the first. */
function spelled(dn: string): string | null {
  const end = dn.includes('\\') || dn.includes('"') ? -1 : dn.indexOf(',');
  if (end < 0) return canonicalDn(dn);
  const own = dn.slice(0, end);
  const [first, rest] = [PLAIN.test(own) ? own.toLowerCase() : canonicalDn(own), above(dn.slice(end + 1))];
  return first === null || rest === null ? null : `${first},${rest}`;
}
