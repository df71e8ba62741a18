import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  newAlreadyExists,
  newConflict,
  newForbidden,
  newNotFound,
} from '../meta/error-factories.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { Stored } from '../rest/object-types.ts';
import { objectAt } from '../rest/test-watch.ts';
import { createOrUpdate } from './upsert.ts';

const resource = { group: '', resource: 'configmaps' };
const notFound = newNotFound(resource, 'web');

type Answer = Error | Stored<KubernetesObject>;

/** Answers each request with the next entry of the script, and records its verb. */
function scripted(...script: readonly (readonly [verb: string, answer: Answer])[]) {
  const verbs: string[] = [];
  const answer = async (verb: string): Promise<Stored<KubernetesObject>> => {
    const [expected, result] = script[verbs.length] ?? ['nothing', new Error('no more answers')];
    verbs.push(verb);
    assert.equal(verb, expected);
    if (result instanceof Error) throw result;
    return result;
  };
  const client = {
    get: () => answer('get'),
    create: () => answer('create'),
    update: () => answer('update'),
  };
  return { verbs, client };
}

/** Sets a label; time advances by itself. */
async function label(client: ReturnType<typeof scripted>['client']) {
  const clock = new VirtualClock();
  const result = createOrUpdate<KubernetesObject>(
    client,
    { metadata: { name: 'web' } },
    ({ metadata }) => void Object.assign(metadata ?? {}, { labels: { mode: 'fast' } }),
    { clock, random: { next: () => 0, uuid: () => '' } },
  );
  const settled = Promise.allSettled([result]);
  await clock.advance(1000);
  await settled;
  return await result;
}

describe('createOrUpdate', () => {
  it('creates the object if it is deleted between the read and the write', async () => {
    const { client, verbs } = scripted(
      ['get', objectAt(3)],
      ['update', notFound],
      ['get', notFound],
      ['create', objectAt(5)],
    );
    const { outcome, object } = await label(client);
    assert.equal(outcome, 'created');
    assert.equal(object.metadata.resourceVersion, '5');
    assert.equal(verbs.length, 4);
  });

  it('updates the object if it is created between the read and the write', async () => {
    const { client } = scripted(
      ['get', notFound],
      ['create', newAlreadyExists(resource, 'web')],
      ['get', objectAt(4)],
      ['update', newConflict(resource, 'web', 'changed')],
      ['get', objectAt(5)],
      ['update', objectAt(6)],
    );
    assert.equal((await label(client)).outcome, 'updated');
  });

  it('rejects immediately with an error that a retry does not fix', async () => {
    const denied = newForbidden(resource, 'web', 'no');
    const { client, verbs } = scripted(['get', objectAt(3)], ['update', denied]);
    await assert.rejects(label(client), denied);
    assert.deepEqual(verbs, ['get', 'update']);
  });
});
