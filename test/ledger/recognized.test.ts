import { describe, expect, test } from 'vitest';
import { atOnce } from '../../src/lib/in-steps.ts';
import { openScene } from './ledger-file.ts';
import { employee, LONG, personChange, readBack, staged } from './records.ts';

/** Somebody who is known by a print, as of the run before. */
function known() {
  const scene = openScene().managed('1', '2');
  const { staging, people } = scene.newRun().ledger;
  staging.seen(staging.known('1')?.row ?? -1, { print: 'print of 1', has: null });
  atOnce(staging.finish());
  atOnce(staging.keep({ protectRule: null, emptied: null }));
  scene.newRun();
  return { scene, staging, people };
}

/** Somebody who was imported in this run, and is not read back yet. */
function written() {
  const scene = openScene().read(staged('1', { print: 'print of 1' }));
  const change = personChange('1');
  scene.call(change, { is: 'imported', id: '1', change });
  return { scene, ...scene.ledger, accept: () => scene.ledger.view.accept([readBack('1', employee('u1'))]) };
}

describe('who was written is recognized', () => {
  test('before, too: an account that was not read back is looked at in any case', () => {
    const { scene, staging, people } = written();
    scene.newRun();
    expect(staging.recognize(['print of 1'])).toEqual([true]);
    expect(people.unverified({ after: '', limit: 9 }).map(({ id }) => id)).toEqual(['1']);
  });

  test('not by a record that a later run has read and not sent', () => {
    const { scene, staging, accept } = written();
    scene.newRun().read(staged('1', { print: 'of a leaver', active: false }));
    accept();
    scene.newRun();
    expect(staging.recognize(['print of 1', 'of a leaver'])).toEqual([true, false]);
  });
});

describe('somebody is recognized by a print', () => {
  test('not where the hash does not hold any more', () => {
    const { scene, staging } = known();
    scene.call(personChange('1', { kind: 'disable' }), { is: 'disabled', id: '1', at: 7 });
    expect(staging.recognize(['print of 1'])).toEqual([false]);
  });

  test('of two records that come to the same by the first', () => {
    const { scene, staging } = known();
    const row = staging.known('2')?.row ?? -1;
    for (const print of ['one', 'two']) staging.seen(row, { print, has: null });
    atOnce(staging.finish());
    atOnce(staging.keep({ protectRule: null, emptied: null }));
    scene.newRun();
    expect(staging.recognize(['one', 'two'])).toEqual([true, false]);
  });

  test('that is kept in steps, between which others have their turn', () => {
    const { scene, staging } = known();
    staging.seen(staging.known('1')?.row ?? -1, { print: 'another print of 1', has: null });
    staging.seen(45_000, { print: 'of nobody', has: null });
    atOnce(staging.finish());
    const steps = staging.keep({ protectRule: null, emptied: null });
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBe(3);
    scene.newRun();
    expect(staging.recognize(['print of 1', 'another print of 1'])).toEqual([false, true]);
  });

  test('not where a ref to their unit leads elsewhere', () => {
    const { staging, people } = known();
    atOnce(people.followPlaces(new Map([['ref', LONG]])));
    expect(staging.recognize(['print of 1'])).toEqual([true]);
    atOnce(people.followPlaces(new Map([['ref', 'elsewhere']])));
    expect(staging.recognize(['print of 1'])).toEqual([false]);
  });
});
