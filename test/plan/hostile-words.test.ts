import { expect, test } from 'vitest';
import { describeStatus } from '../../src/report/describe-status.ts';
import { plain, type Line } from '../../src/domain/text/line.ts';
import { heldLines } from '../../src/plan/words/describe-held.ts';
import { blockLines, itemLines } from '../../src/plan/words/block.ts';
import { editedBlocks, keptBlocks, waitingTexts } from '../../src/plan/words/describe-left-out.ts';
import { personLine, unitNote } from '../../src/plan/words/describe-change.ts';
import { leftOutItems } from '../../src/plan/words/left-out.ts';
import { ofUnit } from '../../src/domain/reasons/reason.ts';
import { unitLabels } from '../../src/plan/words/unit-labels.ts';
import { at, personChange, SYNC, unitChange } from './build.ts';

const evil = `x\u001B[31m\u009B2J\n+ FORGED\r\u2028\u202E\u200B${'y'.repeat(1_048_576)}`;
/** The beginning of what everybody is to see of it. */
const SHOWN = String.raw`x\x1b[31m\x9b2J\n+ FORGED\r\u2028\u202e\u200byyy`;

const who = { subject: 'person', id: `1${evil}`, label: evil } as const;
const unit = { subject: 'unit', id: `2${evil}`, label: evil } as const;
const left = { ...who, reason: `waits for unit ${unit.id}: ${evil}` };
const held = {
  guard: 'leavers',
  hash: 'abc',
  count: 9,
  limit: 5,
  first: [`${evil} (1${evil})`],
  about: evil,
  cause: evil,
} as const;
const kept = [{ ...who, inSource: evil }];
const edited = { units: 0, people: 1, first: [left] };
const waiting = [{ misses: 1, missedAt: 0, count: 1, first: [{ id: who.id, username: evil }] }];
const labels = unitLabels(new Map([[unit.id, evil]]));
const words = { names: labels, zone: 'UTC' };
const options = { labels, paint: plain, atMost: 10, more: '' };
const fields = [
  { field: evil, from: evil, to: null },
  { field: 'tags', from: [evil], to: null },
  { field: 'parent', from: unit.id, to: evil },
  { field: 'positions', from: [`${unit.id} ${evil}`], to: [evil] },
];
const payload = { fields: { name: evil }, positions: [at(unit.id), at(evil)] };

const textOf = (line: Line): string => (typeof line === 'string' ? line : line.head + line.text);

test.each<readonly [string, () => Iterable<Line>]>([
  ['a new person', () => [personLine(personChange(who.id, { username: evil, payload }), words)]],
  [
    'a changed person',
    () => [
      personLine(
        personChange(who.id, { kind: 'update', fields, why: { code: 'words', values: { words: evil } } }),
        words,
      ),
    ],
  ],
  [
    'a person who would lose something',
    () => [
      personLine(personChange('1', { kind: 'update', loses: { fields: [evil], certain: true } }), words),
    ],
  ],
  [
    'a changed unit',
    () => [
      unitNote(unitChange(unit.id, { kind: 'update', fields, why: ofUnit('followsMove', unit.id) }), words),
    ],
  ],
  ['who is left out', () => itemLines(leftOutItems([left], options), plain)],
  [
    'several who are left out',
    () => itemLines(leftOutItems([left, { ...left, id: 'z' }, { ...unit, reason: evil }], options), plain),
  ],
  ['what is held', () => heldLines(held)],
  ['a source that is held', () => heldLines({ ...held, guard: 'source' })],
  ['who waits', () => waitingTexts(waiting, SYNC.leavers)],
  ['who was edited', () => blockLines(editedBlocks(edited, options), plain)],
  ['who keeps the username', () => blockLines(keptBlocks(kept, options), plain)],
  [
    'all of status',
    () =>
      describeStatus(
        {
          ledger: evil,
          isReportOnly: true,
          otherDaemons: 1,
          reloadRefused: evil,
          untold: [{ channel: 'email', error: { at: 0, reason: evil }, waitingSince: null }],
          replies: [
            { signature: evil, hash: evil, by: evil, text: evil, at: 0, count: 1, run: null, left: null },
          ],
          runs: [],
          running: false,
          cannotRun: null,
          units: 0,
          people: { creating: 0, managed: 0, disabled: 0, removed: 0 },
          unmanaged: 1,
          unmanagedEmployees: [{ username: evil, id: evil, locked: true }],
          held: [held],
          leftInside: [{ ...left, left: 'missing in the source' }],
          blocked: [left],
          waiting,
          failing: [{ ...left, id: '9', kind: 'refused', attempts: 1, firstAt: 0, lastAt: 0 }],
          edited,
          kept,
          next: null,
          heartbeat: null,
        },
        { labels, leavers: SYNC.leavers, paint: plain },
      ),
  ],
])('%s: no value steers the terminal, begins a line or is printed without end', (_, lines) => {
  const texts = [...lines()].map(textOf);
  expect(texts.join('\n')).toContain(SHOWN);
  for (const text of texts) {
    expect(text).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);
    expect(text.length).toBeLessThan(5_000);
  }
});
