import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CollectorError } from './collector-error.ts';
import type { EventQuery } from './event-archive.ts';
import { openDatabase } from './sqlite-database.ts';
import { EventArchive } from './event-archive.ts';
import { openForWriting } from './sqlite-database.ts';
import { SqliteSink } from './sqlite-sink.ts';
import { anEvent, at, folder, hasSqlite } from './test-events.ts';

function isForeign(error: unknown): boolean {
  return error instanceof CollectorError && error.code === 'COLLECTOR_DATABASE_FOREIGN';
}

function withSqlite(): void {
  describe('SqliteSink', () => {
    it('stores events with every field, and the position, over a restart', async (t) => {
      const path = join(await folder(t), 'events.db');
      const full = anEvent(1, {
        related: { kind: 'Node', name: 'node-1' },
        action: 'Binding',
        component: 'scheduler',
        instance: 'scheduler-0',
        count: 12,
        message: 'ümläut "quoted" \\ 🙂\n\ttwo lines',
      });
      {
        await using sink = new SqliteSink({ path });
        assert.equal(await sink.position(), undefined);
        assert.deepEqual(await sink.write([full, anEvent(2)], at(2)), []);
      }
      await using sink = new SqliteSink({ path });
      assert.deepEqual(await sink.position(), at(2));
      using archive = new EventArchive(path);
      assert.deepEqual(archive.query({}).events, [full, anEvent(2)]);
      assert.equal(archive.size, 2);
      assert.deepEqual(archive.position, at(2));
    });

    it('updates an event, and never goes back to an older state', async (t) => {
      const path = join(await folder(t), 'events.db');
      await using sink = new SqliteSink({ path });
      await sink.write([anEvent(1, { version: 9 })], at(9));
      const later = anEvent(1, { version: 10, count: 2, message: 'another text' });
      await sink.write([later, later], at(10));
      await sink.write([anEvent(1, { version: 9 })], undefined);
      using archive = new EventArchive(path);
      assert.deepEqual(archive.query({}).events, [later]);
      assert.deepEqual(archive.query({ grep: 'another' }).events, [later]);
      assert.deepEqual(archive.query({ grep: 'assigned' }).events, []);
      assert.deepEqual(await sink.position(), at(10));
    });

    it('stores all of a batch or nothing', async (t) => {
      const path = join(await folder(t), 'events.db');
      await using sink = new SqliteSink({ path });
      const other = openDatabase(path);
      other.exec(
        "CREATE TRIGGER no BEFORE INSERT ON events WHEN new.uid = 'uid-2' BEGIN SELECT raise(ABORT, 'no'); END",
      );
      await assert.rejects(sink.write([anEvent(1), anEvent(2)], at(2)));
      other.close();
      using archive = new EventArchive(path);
      assert.equal(archive.size, 0);
      assert.equal(archive.position, undefined);
      await sink.write([anEvent(1)], at(1));
      assert.equal(archive.size, 1);
    });

    it('rejects an event with an unsupported value, and stores the others', async (t) => {
      const path = join(await folder(t), 'events.db');
      await using sink = new SqliteSink({ path });
      const broken = anEvent(2, { message: { not: 'text' } as unknown as string });
      const rejections = await sink.write([anEvent(1), broken, anEvent(3)], at(3));
      assert.deepEqual(
        rejections.map(({ event }) => event),
        [broken],
      );
      using archive = new EventArchive(path);
      assert.deepEqual(archive.query({}).events, [anEvent(1), anEvent(3)]);
      assert.deepEqual(archive.position, at(3));
    });

    it('syncs commits, in a file readable only by its owner', async (t) => {
      const path = join(await folder(t), 'events.db');
      const database = openForWriting(path);
      // 2 is FULL: every commit is synced.
      assert.equal(database.prepare('PRAGMA synchronous').get()?.['synchronous'], 2);
      database.exec("INSERT INTO meta VALUES ('a', 'b')");
      for (const file of [path, `${path}-wal`, `${path}-shm`]) {
        assert.equal(statSync(file).mode & 0o777, 0o600, file);
      }
      database.close();
      chmodSync(path, 0o640);
      await new SqliteSink({ path })[Symbol.asyncDispose]();
      assert.equal(statSync(path).mode & 0o777, 0o640, 'the owner has decided otherwise');
    });

    it('removes by arrival, not by the times of authors', async (t) => {
      const path = join(await folder(t), 'events.db');
      await using sink = new SqliteSink({ path, maxAgeMs: 60_000 });
      const claim = '9999-12-31T23:59:59.000Z';
      const forged = anEvent(1, { firstSeen: claim, lastSeen: claim });
      const honest = anEvent(1000, { lastSeen: '2020-01-01T00:00:00.000Z' });
      await sink.write([forged, honest], at(2));
      assert.equal(await sink.prune(Date.parse(honest.receivedAt)), 1);
      using archive = new EventArchive(path);
      assert.deepEqual(archive.query({}).events, [honest]);
    });

    it('migrates a database of version 1, and reads one that is read-only', async (t) => {
      const path = join(await folder(t), 'events.db');
      await new SqliteSink({ path })[Symbol.asyncDispose]();
      const old = openDatabase(path);
      old.exec(`
        DROP INDEX events_by_arrival;
        ALTER TABLE events DROP COLUMN created_at;
        ALTER TABLE events DROP COLUMN received_at;
        PRAGMA user_version = 1;
        INSERT INTO events (uid, resource_version, namespace, name, type, reason, message, object_kind,
          object_name, object, count, first_seen, last_seen)
        VALUES ('uid-1', '1', '', '', '', '', '', '', '', '{}', 1, 1000, 2000),
          ('uid-2', '2', '', '', '', '', '', '', '', '{}', 1, 1000, 253402300799000);
      `);
      old.close();
      chmodSync(path, 0o644);
      {
        using archive = new EventArchive(path);
        assert.deepEqual(
          archive.query({}).events.map(({ receivedAt }) => receivedAt),
          ['1970-01-01T00:00:02.000Z', '9999-12-31T23:59:59.000Z'],
        );
      }
      await using sink = new SqliteSink({ path, maxAgeMs: 1000 });
      assert.equal(statSync(path).mode & 0o777, 0o600);
      await sink.write([anEvent(3)], at(3));
      using archive = new EventArchive(path);
      const [first, second] = archive.query({ limit: 3 }).events;
      assert.equal(first?.receivedAt, '1970-01-01T00:00:02.000Z');
      assert.equal(second?.uid, 'uid-3');
      const forged = archive.query({}).events.find(({ uid }) => uid === 'uid-2');
      assert.ok(Date.parse(forged?.receivedAt ?? '') < Date.parse('9999-01-01'));
      assert.equal(forged?.lastSeen, forged?.receivedAt);
    });

    it('removes events beyond the maximum age', async (t) => {
      const path = join(await folder(t), 'events.db');
      await using sink = new SqliteSink({ path, maxAgeMs: 1_000_000 });
      const events = Array.from({ length: 2500 }, (_, number) => anEvent(number + 1));
      await sink.write(events, at(2500));
      const now = Date.parse(anEvent(2500).lastSeen);
      assert.equal(await sink.prune(now), 1499);
      assert.equal(await sink.prune(now), 0);
      using archive = new EventArchive(path);
      assert.equal(archive.size, 1001);
      assert.deepEqual(archive.query({ grep: 'web-1400' }).events, []);
      assert.deepEqual(archive.query({ grep: 'web-1500' }).events, [anEvent(1500)]);
    });

    it('bounds the file by removing the oldest', async (t) => {
      const path = join(await folder(t), 'events.db');
      const maxBytes = 2 * 2 ** 20;
      await using sink = new SqliteSink({ path, maxBytes });
      const sizeOf = (): number => {
        const database = openDatabase(path, { readOnly: true });
        const pages = database.prepare('PRAGMA page_count').get()?.['page_count'];
        const size = database.prepare('PRAGMA page_size').get()?.['page_size'];
        database.close();
        return Number(pages) * Number(size);
      };
      for (let round = 0; round < 6; round += 1) {
        const events = Array.from({ length: 1500 }, (_, index) =>
          anEvent(round * 1500 + index + 1),
        );
        await sink.write(events, at(events.length));
        await sink.maintain(0);
        assert.ok(sizeOf() <= maxBytes, `${sizeOf()}`);
      }
      using archive = new EventArchive(path);
      const { events } = archive.query({});
      assert.ok(events.length > 500, `${events.length}`);
      assert.deepEqual(events.at(-1), anEvent(9000));
    });

    it('waits for processes that read or recover', async (t) => {
      const database = openDatabase(join(await folder(t), 'events.db'));
      assert.equal(database.prepare('PRAGMA busy_timeout').get()?.['timeout'], 10_000);
      database.close();
    });

    it('refuses files that are not event databases', async (t) => {
      const directory = await folder(t);
      const text = join(directory, 'text.db');
      await writeFile(text, 'Once upon a time, this was no database at all.'.repeat(100));
      assert.throws(() => new SqliteSink({ path: text }), isForeign);
      const other = join(directory, 'other.db');
      const database = openDatabase(other);
      database.exec('CREATE TABLE recipes (id INTEGER)');
      database.close();
      assert.throws(() => new SqliteSink({ path: other }), isForeign);
      assert.throws(() => new EventArchive(other), isForeign);
      const unopened = { code: 'COLLECTOR_DATABASE_UNOPENED' };
      assert.throws(() => new EventArchive(join(directory, 'missing.db')), unopened);
      assert.throws(() => new SqliteSink({ path: join(directory, 'no', 'folder.db') }), unopened);
      const newer = join(directory, 'newer.db');
      await new SqliteSink({ path: newer })[Symbol.asyncDispose]();
      const future = openDatabase(newer);
      future.exec('PRAGMA user_version = 3');
      future.close();
      assert.throws(() => new SqliteSink({ path: newer }), /has version 3; .* knows up to 2/);
    });
  });

  describe('EventArchive', () => {
    const events = [
      anEvent(1),
      anEvent(2, { type: 'Warning', reason: 'FailedScheduling', message: '0/3 nodes: no cpu' }),
      anEvent(3, {
        type: 'Warning',
        reason: 'BackOff',
        namespace: 'shop',
        message: 'Back-off pulling image "example.com/web:1"; 50% done_now',
        object: { kind: 'Pod', namespace: 'shop', name: 'cart' },
      }),
      anEvent(4, {
        reason: 'ScalingReplicaSet',
        message: 'Scaled up',
        object: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
      }),
    ];
    const since = (number: number): number => Date.parse(anEvent(number).lastSeen);
    const cases: readonly (readonly [string, EventQuery, readonly number[]])[] = [
      ['everything', {}, [1, 2, 3, 4]],
      ['the newest', { limit: 2 }, [3, 4]],
      ['from a time on', { sinceMs: since(2) }, [2, 3, 4]],
      ['up to a time', { untilMs: since(2) }, [1]],
      ['a type, in any case', { type: 'warning' }, [2, 3]],
      ['a reason', { reason: 'failedscheduling' }, [2]],
      ['a namespace', { namespace: 'shop' }, [3]],
      ['an object by kind and name', { object: 'pod/cart' }, [3]],
      ['an object by short and plural kinds', { object: 'deploy/cart' }, [4]],
      ['an object by a kind with its group', { object: 'deployments.apps/cart' }, [4]],
      ['an object by its name', { object: 'cart' }, [3, 4]],
      ['text in messages', { grep: 'SCHEDUL' }, [1, 2]],
      ['text in the middle of words', { grep: 'ckOf' }, [3]],
      ['text in names of objects', { grep: 'shop/cart' }, [3, 4]],
      ['text with quotes', { grep: 'image "example' }, [3]],
      ['text that looks like a query', { grep: 'web OR scaled' }, []],
      ['text too short for the index', { grep: 'up' }, [4]],
      ['short text with signs of its own', { grep: '0%' }, [3]],
      ['short text that is no pattern', { grep: 'w_n' }, []],
      [
        'all conditions together',
        { type: 'Warning', grep: 'back', namespace: 'shop', limit: 5 },
        [3],
      ],
      ['nothing', { object: 'pod/missing' }, []],
    ];
    for (const [what, query, expected] of cases) {
      it(`finds ${what}`, async (t) => {
        const path = join(await folder(t), 'events.db');
        await using sink = new SqliteSink({ path });
        await sink.write(events, at(4));
        using archive = new EventArchive(path);
        assert.deepEqual(
          archive.query(query).events.map(({ uid }) => uid),
          expected.map((number) => `uid-${number}`),
        );
      });
    }

    it('returns the gaps within the query', async (t) => {
      const path = join(await folder(t), 'events.db');
      await using sink = new SqliteSink({ path });
      const [one, two, three] = [1, 2, 3].map((number) => anEvent(number).lastSeen);
      const first = { from: undefined, to: String(one), reason: 'gone' };
      const second = { from: String(two), to: String(three), reason: 'full', dropped: 5 };
      await sink.recordGap(first);
      await sink.recordGap(second);
      using archive = new EventArchive(path);
      assert.deepEqual(archive.query({}).gaps, [first, second]);
      assert.deepEqual(archive.query({ sinceMs: since(2) }).gaps, [second]);
      assert.deepEqual(archive.query({ untilMs: since(1) }).gaps, [first]);
    });
  });
}

describe('on a Node with SQLite', { skip: hasSqlite ? false : 'needs Node 22.16' }, withSqlite);

if (!hasSqlite) {
  it('reports a Node without SQLite, with the fix', () => {
    assert.throws(
      () => new SqliteSink({ path: ':memory:' }),
      (error) =>
        error instanceof CollectorError &&
        error.code === 'COLLECTOR_SQLITE_MISSING' &&
        /Node 22\.16/.test(error.hint ?? ''),
    );
  });
}
