import type { PersonDecision } from './person-decision.ts';

/** The rest goes on, and the record is compared anew by the next run. */
export function beside(decision: PersonDecision, reason: string): PersonDecision {
  if (decision.is === 'change')
    return { is: 'change', change: { ...decision.change, partial: true }, beside: reason };
  if (decision.is === 'drift') return { ...decision, reason };
  const isDone = decision.is === 'close' || decision.is === 'none';
  return isDone ? { is: 'none', beside: reason } : decision;
}
