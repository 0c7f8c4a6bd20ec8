import { existsSync, statSync } from 'node:fs';
import { LedgerError } from '../../domain/errors.ts';
import type { KeptPart, KeptRead, KeptRows, KeptSize, SourceKeep } from '../../domain/ports/source-keep.ts';
import { Database } from '../database/database.ts';
import { eraseKept } from './erase-kept.ts';
import { isUsable, keptPath, openToWrite, removeKept } from './kept-file.ts';
import { readKept } from './kept-reader.ts';
import { KeptWriter } from './kept-writer.ts';

/** What the ledger itself remembers of it: `status` reads no second file. */
export interface KeptFact {
  get(): { readonly at: number; readonly people: number } | null;
  set(value: { readonly at: number; readonly people: number } | null): void;
}

interface Writing {
  readonly db: Database;
  readonly writer: KeptWriter;
  readonly at: number;
}

/** The file is opened when it is needed, and only then. */
export class SqliteSourceKeep implements SourceKeep {
  readonly #path: string;
  readonly #binding: string;
  readonly #fact: KeptFact;
  #writing: Writing | null = null;
  /** Why this read cannot be kept. */
  #problem: string | null = null;

  constructor({ path, binding }: { readonly path: string; readonly binding: string }, fact: KeptFact) {
    this.#path = keptPath(path);
    this.#binding = binding;
    this.#fact = fact;
  }

  begin(at: number): void {
    this.close();
    this.#problem = null;
    this.#try(() => {
      const db = openToWrite(this.#path, this.#binding);
      this.#writing = { db, writer: new KeptWriter(db, at), at };
    });
  }

  part(part: KeptPart): KeptRows | null {
    const rows = this.#writing?.writer.part(part) ?? null;
    if (rows === null) return null;
    return {
      add: (row, print) => this.#try(() => rows.add(row, print)),
      end: (told) => this.#try(() => rows.end(told)),
    };
  }

  replace(): string | null {
    const writing = this.#writing;
    this.#try(() => {
      if (writing === null) return;
      const people = writing.writer.replace(this.#binding);
      this.#fact.set({ at: writing.at, people });
    });
    this.close();
    return this.#problem;
  }

  open(): KeptRead | null {
    if (!existsSync(this.#path)) return null;
    const db = new Database(this.#path, { readonly: true });
    const read = isUsable(db, this.#binding) ? readKept(db) : null;
    if (read === null) db.close();
    return read;
  }

  size(): KeptSize | null {
    const fact = this.#fact.get();
    const bytes = ['', '-wal']
      .map((suffix) => statSync(this.#path + suffix, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size);
    return fact === null || bytes === 0 ? null : { ...fact, bytes };
  }

  erase(names: readonly string[]): void {
    if (!existsSync(this.#path)) return;
    const db = openToWrite(this.#path, this.#binding);
    try {
      eraseKept(db, names);
    } finally {
      db.close();
    }
  }

  drop(): void {
    this.close();
    removeKept(this.#path);
    if (this.#fact.get() !== null) this.#fact.set(null);
  }

  close(): void {
    this.#writing?.db.close();
    this.#writing = null;
  }

  /** Works unless something went wrong before: a disk that is full costs what is kept, and not the run. */
  #try(work: () => void): void {
    if (this.#problem !== null) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof LedgerError) && !isOfSystem(error)) throw error;
      this.#problem = error.message;
    }
  }
}

const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;
