import type { PersonDecision } from './person-decision.ts';

/** Notes why a part of the record is left as it is. The rest goes on, and the next run compares the record anew. */
export function beside(decision: PersonDecision, reason: string): PersonDecision {
  if (decision.is === 'change')
    return { is: 'change', change: { ...decision.change, partial: true }, beside: reason };
  if (decision.is === 'drift') return { ...decision, reason };
  const isDone = decision.is === 'close' || decision.is === 'none';
  return isDone ? { is: 'none', beside: reason } : decision;
}
