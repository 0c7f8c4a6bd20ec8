import type { PersonDecision } from './person-decision.ts';

/** The rest goes on, and the record is compared anew by the next run. */
export function beside(decision: PersonDecision, reason: string): PersonDecision {
  switch (decision.is) {
    case 'change':
      return { is: 'change', change: { ...decision.change, partial: true }, beside: reason };
    case 'close':
    case 'none':
      return { is: 'none', beside: reason };
    case 'drift':
      return { ...decision, reason };
    default:
      return decision;
  }
}
