import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from 'client-ts/testing';
import { SqliteSink } from '@client-ts/collector';
import { anEvent, at, folder, hasSqlite } from '../test-events.ts';
import { testContext } from '../frame/test-context.ts';
import { run } from '../run.ts';

function withSqlite(): void {
  describe('client-ts events', () => {
    it('prints count and age as kubectl does, and gaps', async (t) => {
      const workingDirectory = await folder(t);
      const path = join(workingDirectory, 'events.db');
      {
        await using sink = new SqliteSink({ path });
        const counted = anEvent(2, {
          type: 'Warning',
          reason: 'BackOff',
          message: 'Back-off\n  restarting\u001B[31m',
          count: 12,
          component: 'kubelet',
          firstSeen: '2025-12-31T23:00:00.000Z',
        });
        await sink.write([anEvent(1), counted], at(2));
        await sink.recordGap({
          from: '2026-01-01T00:00:00.000Z',
          to: '2026-01-01T00:00:05.000Z',
          reason: 'the server could not resume from version 1',
        });
        await sink.recordGap({
          from: undefined,
          to: '2026-01-01T00:00:00.000Z',
          reason: 'the spool was full',
          dropped: 7,
        });
      }
      const clock = new VirtualClock({ startMs: Date.UTC(2026, 0, 1, 0, 5, 2) });
      const context = testContext({ workingDirectory, clock });
      assert.equal(await run(['events'], context), 0);
      assert.deepEqual(context.text().split('\n'), [
        'NAMESPACE   LAST SEEN           TYPE      REASON      OBJECT      MESSAGE',
        'default     5m1s                Normal    Scheduled   pod/web-1   Successfully assigned default/web-1 to node-1',
        'default     5m (x12 over 65m)   Warning   BackOff     pod/web-2   Back-off restarting^[[31m',
        '',
      ]);
      assert.deepEqual(context.errors, [
        'Warning: events may be missing from 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:05.000Z: the server could not resume from version 1',
        'Warning: 7 events are missing before 2026-01-01T00:00:00.000Z: the spool was full',
      ]);
      const wide = testContext({ workingDirectory, clock });
      assert.equal(await run(['events', '-o', 'wide', '-n', 'default'], wide), 0);
      assert.match(wide.text(), /^LAST SEEN +TYPE +REASON +OBJECT +SOURCE +MESSAGE\n/);
      assert.match(wide.text(), /kubelet/);
    });

    it('accepts a type in any case, and any form of object', async (t) => {
      const workingDirectory = await folder(t);
      await using sink = new SqliteSink({ path: join(workingDirectory, 'events.db') });
      await sink.write([anEvent(1)], at(1));
      const cases: readonly (readonly [readonly string[], string])[] = [
        [['--type', 'warning'], 'No events found.'],
        [['--object', 'constructor/x'], 'No events found.'],
        [['--object', '__proto__/x'], 'No events found.'],
      ];
      for (const [args, message] of cases) {
        const context = testContext({ workingDirectory });
        assert.equal(await run(['events', ...args], context), 0, args.join(' '));
        assert.deepEqual(context.errors, [message]);
      }
      const normal = testContext({ workingDirectory });
      await run(['events', '--type', 'normal'], normal);
      assert.match(normal.text(), /Normal/);
    });

    it('refuses an unknown type before it opens the database', async (t) => {
      const workingDirectory = await folder(t);
      for (const [type, ending] of [
        ['Warnnig', '; did you mean Warning?'],
        ['Foo', ''],
      ] as const) {
        const context = testContext({ workingDirectory });
        assert.equal(await run(['events', '--type', type], context), 2);
        const message = `--type must be one of Normal, Warning, not "${type}"${ending}`;
        assert.ok(context.errorText().includes(message), context.errorText());
      }
    });

    it('reports a missing file', async (t) => {
      const context = testContext({ workingDirectory: await folder(t) });
      assert.equal(await run(['events', '--file', 'missing.db'], context), 1);
      assert.match(context.errorText(), /missing\.db cannot be opened\. Name the file with --file/);
    });
  });
}

describe('on a Node with SQLite', { skip: hasSqlite ? false : 'needs Node 22.16' }, withSqlite);

if (!hasSqlite) {
  it('reports a Node without SQLite', async () => {
    const context = testContext();
    assert.equal(await run(['events'], context), 1);
    assert.match(context.errorText(), /this command needs Node 22\.16\.0 or newer/);
  });
}
