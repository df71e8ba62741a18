/** Runs the operator on a virtual clock while all its watch events are late. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';
import { VirtualClock } from 'client-ts/testing';

import { installWebSets } from './install.ts';
import { runOperator } from './operator.ts';
import { webSets } from './web-set.ts';

const lateMs = 5000;
const namespace = 'default';

/**
 * Creates a WebSet with three pods and scales it to one. Returns what the operator did, and how many
 * requests to create a pod it sent.
 *
 * @param {import('client-ts/controller').Consistency} consistency
 */
async function story(consistency) {
  const clock = new VirtualClock();
  const server = await ApiServer.start({ clock });
  try {
    return await play(server, clock, consistency);
  } finally {
    await server.close();
  }
}

/**
 * @param {ApiServer} server
 * @param {VirtualClock} clock
 * @param {import('client-ts/controller').Consistency} consistency
 */
async function play(server, clock, consistency) {
  const memory = server.transport();
  const user = new Clientset({ server: server.url, transport: memory }, { clock });
  const installed = installWebSets(user);
  await clock.advance(10_000);
  await installed;
  const types = ['ADDED', 'MODIFIED', 'DELETED'];
  server.faults.add({
    match: { verb: 'watch', resource: ['pods', 'websets'] },
    fault: { kind: 'delay-events', ms: lateMs, types },
  });
  /** @type {string[]} */
  const creations = [];
  /** @type {import('client-ts/transport').Transport} */
  const transport = {
    request: (request) => {
      const [path = ''] = request.path.split('?');
      if (request.method === 'POST' && path.endsWith('/pods')) creations.push(path);
      return memory.request(request);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const config = { server: server.url, transport };
  /** @type {string[]} */
  const lines = [];
  const stop = new AbortController();
  const running = runOperator({
    config,
    namespace,
    identity: 'one',
    leaseDurationMs: 15_000,
    signal: stop.signal,
    consistency,
    clock,
    log: (line) => void lines.push(line),
  });
  await clock.advance(30_000);
  const template = { spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } };
  const sets = user.resource(webSets, namespace);
  await sets.create({ metadata: { name: 'web' }, spec: { replicas: 3, template } });
  await clock.advance(20 * lateMs);
  const { items } = await user.coreV1.pods(namespace).list();
  await sets.patch('web', { spec: { replicas: 1 } }, { type: 'merge' });
  await clock.advance(20 * lateMs);
  stop.abort();
  await clock.advance(60_000);
  await running;
  const done = lines.filter((line) => line.startsWith('Successful'));
  return { pods: items.length, done: done.toSorted(), creations: creations.length };
}

const created = (/** @type {number} */ ordinal) =>
  `SuccessfulCreate default/web: created pod web-${ordinal}`;
const deleted = (/** @type {number} */ ordinal) =>
  `SuccessfulDelete default/web: deleted pod web-${ordinal}: scaled down`;

describe('the operator with late watch events', () => {
  for (const consistency of /** @type {const} */ (['overlay', 'wait'])) {
    it(`creates and deletes each pod once, with "${consistency}"`, async () => {
      assert.deepEqual(await story(consistency), {
        pods: 3,
        done: [created(0), created(1), created(2), deleted(1), deleted(2)],
        creations: 3,
      });
    });
  }

  it('tries to create pods again with "eventual"', async () => {
    const { pods, creations } = await story('eventual');
    assert.equal(pods, 3, 'the server refuses a second pod of the same name');
    assert.ok(creations > 3, `${creations} creations`);
  });
});
