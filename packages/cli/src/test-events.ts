import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CollectedEvent, Position } from '@client-ts/collector';

/** For tests: true if this Node has SQLite with full-text search. */
export const hasSqlite: boolean = ((): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 16);
})();

/** For tests: a collected event with the given fields. */
export function anEvent(number: number, fields: Partial<CollectedEvent> = {}): CollectedEvent {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  return {
    uid: `uid-${number}`,
    resourceVersion: `${number}`,
    namespace: 'default',
    name: `web-${number}.18`,
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned default/web-${number} to node-1`,
    object: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: `web-${number}` },
    count: 1,
    firstSeen: time,
    lastSeen: time,
    createdAt: time,
    receivedAt: time,
    ...fields,
  };
}

/** For tests: a position on the test server. */
export function at(resourceVersion: number): Position {
  return {
    source: 'https://server',
    resourceVersion: `${resourceVersion}`,
    time: '2026-01-01T00:00:00.000Z',
  };
}

/** For tests: a directory that is removed after the test. */
export async function folder(t: Pick<TestContext, 'after'>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'client-ts-cli-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
