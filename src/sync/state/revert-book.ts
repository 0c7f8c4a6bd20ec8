import type { NotBack, Reverts } from '../../domain/reverting/reverts.ts';
import type { Inverse } from '../../plan/revert/invert-person.ts';
import type { NetChange } from '../../plan/revert/net-change.ts';
import type { RevertRequest } from './run-request.ts';

type Key = Pick<NetChange, 'subject' | 'id'>;

const keyOf = ({ subject, id }: Key): string => `${subject} ${id}`;

/** What a revert puts back and what it does not, as it is found out. */
export class RevertBook {
  readonly request: RevertRequest;
  readonly #own = new Map<string, readonly string[]>();
  readonly #cannot: NotBack[] = [];
  readonly #left: NotBack[] = [];
  readonly #again: string[] = [];
  readonly #leavers: string[] = [];
  readonly #freed: string[] = [];
  #records = 0;
  #asBefore = 0;
  #back = 0;
  #disabled = 0;
  #moved = 0;

  constructor(request: RevertRequest) {
    this.request = request;
  }

  /** Notes an inverse. Returns whether the record is to be as the inverse says, and not as the source does. */
  note(done: NetChange, { wanted, isAsBefore = false, back, remarks }: Inverse<unknown>): boolean {
    if (!isChanged(done)) return false;
    this.#records += 1;
    for (const { is, text } of remarks) this.#notBack(is, { label: labelOf(done), text });
    if (isAsBefore) this.#asBefore += 1;
    if (wanted === null || (isAsBefore && this.request.holdDays === 0)) return false;
    this.#own.set(keyOf(done), back);
    if (!isAsBefore) this.#count(done, back);
    return true;
  }

  #count(done: NetChange, back: readonly string[]): void {
    this.#back += 1;
    if (done.subject === 'person' && done.kinds.has('create')) this.#disabled += 1;
    if (done.subject === 'unit' && back.includes('parent')) this.#moved += 1;
  }

  /** Notes changes of which nobody knows whether they were done. */
  inDoubt(records: readonly (Key & Pick<NetChange, 'label'>)[]): void {
    this.#records += records.length;
    const text = 'in doubt whether the run has changed it: a later run finds out';
    for (const record of records) this.#left.push({ label: labelOf(record), text });
  }

  /** Leaves a record after all. */
  leave(record: Key & Pick<NetChange, 'label'>, text: string): void {
    this.#own.delete(keyOf(record));
    this.#back -= 1;
    this.#left.push({ label: labelOf(record), text });
  }

  /** Notes that the source would have the same done again. */
  again(record: Key & Pick<NetChange, 'label'>): void {
    this.#again.push(labelOf(record));
  }

  /** Notes a record that an earlier revert holds from the source, and this one no longer. */
  endsHold(record: Key & Pick<NetChange, 'label'>): void {
    this.#freed.push(labelOf(record));
  }

  /** Notes somebody who has left in the source, and is active after the revert. */
  inside(record: Key & Pick<NetChange, 'label'>): void {
    this.#leavers.push(labelOf(record));
  }

  /** Returns whether this revert puts the record back, at least in part. */
  has(record: Key): boolean {
    return this.#own.has(keyOf(record));
  }

  /** Returns the records that are put back. */
  records(): readonly Key[] {
    return [...this.#own.keys()].map((key) => {
      const [, kind, id = ''] = /^(unit|person) (.*)$/su.exec(key) ?? [];
      return { subject: kind === 'unit' ? 'unit' : 'person', id };
    });
  }

  /** Returns the names of what is put back. */
  backOf(record: Key): readonly string[] {
    return this.#own.get(keyOf(record)) ?? [];
  }

  result(): Reverts {
    const { run, holdDays } = this.request;
    return {
      run,
      records: this.#records,
      back: this.#back,
      holds: holdDays === 0 ? 0 : this.#own.size,
      asBefore: this.#asBefore,
      cannot: this.#cannot,
      left: this.#left,
      again: this.#again,
      leavers: this.#leavers,
      freed: this.#freed,
      disabled: this.#disabled,
      moved: this.#moved,
      holdDays,
    };
  }

  #notBack(is: 'left' | 'cannot', one: NotBack): void {
    (is === 'left' ? this.#left : this.#cannot).push(one);
  }
}

/** Returns whether the run changed the record itself: who only followed a unit to its new node is as before. */
function isChanged({ fields, kinds }: NetChange): boolean {
  return fields.length > 0 || kinds.has('create') || kinds.has('remove') || kinds.has('forget');
}

function labelOf({ subject, id, label }: Key & Pick<NetChange, 'label'>): string {
  const name = label === id ? id : `${label} (${id})`;
  return subject === 'unit' ? `unit ${name}` : name;
}
