import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Deferred } from 'client-ts/internal';

import type { DurableStore, StoreBatch, StoredState } from './durable-store.ts';

/** The reason to skip a test, or false. */
export const withoutSqlite: string | false =
  process.getBuiltinModule('node:sqlite' as string) === undefined && 'needs node:sqlite';

/** Returns a directory that is removed after the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-data-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface HeldCommit {
  readonly batch: StoreBatch;
  readonly done: Deferred;
}

/** A store in memory whose commits wait for the test. */
export class HeldStore implements DurableStore {
  readonly committed: StoreBatch[] = [];
  isClosed = false;
  /** False: commits succeed immediately. */
  isHeld = true;
  #commit: HeldCommit | undefined;
  #begun = new Deferred();

  async open(): Promise<StoredState> {
    return { revision: undefined, compactions: [], settings: {}, revisions: [] };
  }

  async commit(batch: StoreBatch): Promise<void> {
    if (!this.isHeld) {
      this.committed.push(batch);
      return;
    }
    const done = new Deferred();
    this.#commit = { batch, done };
    this.#begun.resolve();
    await done.promise;
    this.committed.push(batch);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** Waits for a commit and lets it succeed, or fail with the error. Resolves to its revisions. */
  async release(failure?: Error): Promise<number[]> {
    await this.#begun.promise;
    this.#begun = new Deferred();
    const { batch, done } = this.#commit as HeldCommit;
    if (failure === undefined) done.resolve();
    else done.reject(failure);
    await Promise.allSettled([done.promise]);
    return batch.revisions.map(({ revision }) => revision);
  }
}
