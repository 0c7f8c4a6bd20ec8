import { expect, it } from 'vitest';
import { EVENTS } from '../../src/domain/events.ts';

/** Contract, section Log. */
const CONTRACT =
  'run.start source.read service.refresh plan.ready guard.held call.sent call.retry item.failed item.blocked drift.found progress run.skipped run.end';

it('the events are those of the contract, each with a message and a line for the README', () => {
  expect(Object.keys(EVENTS).toSorted()).toEqual(CONTRACT.split(' ').toSorted());
  for (const { message, about } of Object.values(EVENTS)) {
    expect(message).toMatch(/^[a-z ]+$/);
    expect(about).toMatch(/^[A-Z][^\n|]+\.$/);
  }
});
