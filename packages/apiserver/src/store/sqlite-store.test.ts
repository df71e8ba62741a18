import assert from 'node:assert/strict';
import {
  truncateSync,
  readdirSync,
  statSync,
  writeFileSync,
  openSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';

import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts';
import { dataErrorOf, inTransaction, openDatabase } from './sqlite.ts';
import { SqliteStore } from './sqlite-store.ts';
import { CompactedError, type Store, type StoreEvent } from './store.ts';
import { temporaryDirectory, withoutSqlite } from './test-durable-store.ts';

const PODS = '//pods/';

async function open(directory: string, options?: MemoryStoreOptions): Promise<MemoryStore> {
  const sqlite = new SqliteStore(directory);
  return await MemoryStore.open(sqlite, await sqlite.open(), options);
}

function put(store: Store, key: string, text: string): void {
  store.put(key, (revision) => ({ metadata: { resourceVersion: String(revision), name: text } }));
}

function describeEvent({ type, revision, entry, previous }: StoreEvent): string {
  return `${revision} ${type} ${JSON.stringify(entry)} after ${JSON.stringify(previous)}`;
}

function history(store: Store, prefix: string, after: number): string[] | 'compacted' {
  try {
    return store.history(prefix, after).map(describeEvent);
  } catch (error) {
    assert.ok(error instanceof CompactedError);
    return 'compacted';
  }
}

describe('SqliteStore', { skip: withoutSqlite }, () => {
  it('has every entry, revision and event after a restart', async (t) => {
    const keys = fc.constantFrom('//pods/a', '//pods/b', '/apps/deployments/a');
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('put'), key: keys, text: fc.string() }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('delete'), key: keys }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('restart') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('compact'), back: fc.nat(4) }) },
    );
    const check = async (steps: readonly Step[]): Promise<void> => {
      const directory = temporaryDirectory(t);
      const expected = new MemoryStore();
      let actual = await open(directory);
      for (const one of [...steps, { do: 'restart' }]) {
        apply(expected, one);
        if (one.do === 'restart') {
          await actual.close();
          actual = await open(directory);
        } else {
          apply(actual, one);
          await actual.durable();
        }
      }
      assert.equal(actual.revision, expected.revision);
      assert.equal(actual.durableRevision, expected.revision);
      for (const prefix of [PODS, '/apps/deployments/']) {
        assert.deepEqual(actual.range({ prefix }), expected.range({ prefix }));
        assert.equal(actual.compactedRevision(prefix), expected.compactedRevision(prefix));
        for (let after = 999; after <= expected.revision; after++) {
          assert.deepEqual(history(actual, prefix, after), history(expected, prefix, after));
        }
      }
      await actual.close();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), check), { numRuns: 25 });
  });

  it('removes what compaction has superseded, and keeps the revision of a deletion', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await open(directory);
    put(store, '//pods/a', '1');
    put(store, '//pods/a', '2');
    put(store, '//pods/b', '1');
    store.delete('//pods/b');
    await store.durable();
    const { revision } = store;
    store.compact();
    await store.close();
    assert.deepEqual(rows(directory), [`${revision - 2} //pods/a`]);
    const again = await open(directory);
    assert.equal(again.revision, revision);
    assert.equal(again.compactedRevision(PODS), revision);
    await again.close();
  });

  it('keeps no more history than the limit', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await open(directory, { historyLimit: 10 });
    for (let index = 0; index < 1500; index++) put(store, '//pods/a', String(index));
    await store.close();
    assert.ok(rows(directory).length <= 1010, String(rows(directory).length));
    const again = await open(directory, { historyLimit: 10 });
    assert.equal(history(again, PODS, again.revision - 11), 'compacted');
    assert.equal(again.history(PODS, again.revision - 10).length, 10);
    // The limit holds for what is written from now on, too.
    put(again, '//pods/a', 'more');
    await again.durable();
    assert.equal(history(again, PODS, again.revision - 11), 'compacted');
    assert.equal(again.history(PODS, again.revision - 10).length, 10);
    await again.close();
  });

  it('writes a log that is on the disk before a commit returns, for its owner only', async (t) => {
    const directory = join(temporaryDirectory(t), 'data');
    const store = new SqliteStore(directory);
    await store.open();
    const settings = { secret: 'x' };
    await store.commit({ revisions: [], compactions: [], settings });
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    for (const file of readdirSync(directory)) {
      assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file);
    }
    await store.close();
    const again = new SqliteStore(directory);
    assert.deepEqual((await again.open()).settings, settings);
    await again.close();
    await again.close();
  });

  it('refuses a directory that another server has open', async (t) => {
    const directory = temporaryDirectory(t);
    const first = new SqliteStore(directory);
    await first.open();
    const second = new SqliteStore(directory);
    await assert.rejects(second.open(), { code: 'APISERVER_DATA_IN_USE', name: 'DataError' });
    await first.commit({ revisions: [], compactions: [], settings: { a: 'b' } });
    await first.close();
    assert.deepEqual((await second.open()).settings, { a: 'b' });
    await second.close();
  });

  it('refuses databases of newer versions and of other programs', async (t) => {
    const directory = await created(t);
    const path = join(directory, 'cluster.db');
    const change = (sql: string): void => {
      const database = openDatabase(path);
      database.exec(sql);
      database.close();
    };
    change('PRAGMA user_version = 7');
    await assert.rejects(new SqliteStore(directory).open(), {
      code: 'APISERVER_DATA_NEWER',
      message: `${JSON.stringify(path)} has version 7; this server knows up to 1`,
    });
    change('PRAGMA application_id = 7');
    await assert.rejects(new SqliteStore(directory).open(), { code: 'APISERVER_DATA_FOREIGN' });
  });

  it('refuses files that are damaged or no database', async (t) => {
    const garbage = temporaryDirectory(t);
    writeFileSync(join(garbage, 'cluster.db'), 'not a database'.repeat(1000));
    await assert.rejects(new SqliteStore(garbage).open(), { code: 'APISERVER_DATA_CORRUPT' });

    const truncated = await created(t);
    truncateSync(join(truncated, 'cluster.db'), 5000);
    await assert.rejects(open(truncated), { code: 'APISERVER_DATA_CORRUPT' });

    const overwritten = await created(t);
    const file = openSync(join(overwritten, 'cluster.db'), 'r+');
    const { size } = statSync(join(overwritten, 'cluster.db'));
    writeSync(file, Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
    closeSync(file);
    await assert.rejects(open(overwritten), { code: 'APISERVER_DATA_CORRUPT' });
  });

  it('names what cannot be created', async () => {
    const refused = new SqliteStore('/dev/null/data').open();
    await assert.rejects(refused, {
      name: 'DataError',
      message: /"\/dev\/null\/data\/cluster.db"/,
    });
  });

  it('keeps nothing of a batch that does not fit on the disk, and goes on when it does', async (t) => {
    const directory = temporaryDirectory(t);
    const database = openDatabase(join(directory, 'x.db'));
    database.exec('CREATE TABLE t (text); PRAGMA max_page_count = 10');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    const write = (): void => {
      inTransaction(database, () => {
        for (let index = 0; index < 100; index++) insert.run('x'.repeat(1000));
      });
    };
    assert.throws(write, (error) => {
      assert.equal(dataErrorOf(error, 'x.db').code, 'APISERVER_DATA_FULL');
      return true;
    });
    assert.equal(database.prepare('SELECT count(*) AS n FROM t').get()?.['n'], 0);
    database.exec('PRAGMA max_page_count = 1000');
    write();
    database.exec('PRAGMA query_only = 1');
    assert.throws(write, (error) => {
      assert.equal(dataErrorOf(error, 'x.db').code, 'APISERVER_DATA_READ_ONLY');
      return true;
    });
    database.close();
  });
});

interface Step {
  readonly do: string;
  readonly key?: string;
  readonly text?: string;
  readonly back?: number;
}

function apply(store: Store, { do: action, key = '', text = '', back = 0 }: Step): void {
  if (action === 'put') put(store, key, text);
  if (action === 'delete') store.delete(key);
  if (action === 'compact') store.compact({ revision: Math.max(1000, store.revision - back) });
}

function rows(directory: string): string[] {
  const database = openDatabase(join(directory, 'cluster.db'));
  const found = database.prepare('SELECT revision, key FROM revisions ORDER BY revision').all();
  database.close();
  return found.map(({ revision, key }) => `${revision} ${key}`);
}

/** Returns a directory with a closed store. */
async function created(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  const store = await open(directory);
  for (let index = 0; index < 100; index++) put(store, `//pods/${index}`, 'x'.repeat(500));
  await store.close();
  return directory;
}
