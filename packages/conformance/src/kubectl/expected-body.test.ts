import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import { loadRecordings } from '../recordings/format.ts';
import { expectedBody, partsLike, withDeleted } from './expected-body.ts';
import { loadRecordedCommands, type RecordedCommand } from './recorded-commands.ts';
import { twinOf } from './twins.ts';

const { commands } = await loadRecordedCommands();

function command(id: string): RecordedCommand {
  const found = commands.find((each) => each.id === id);
  assert.ok(found !== undefined, id);
  return found;
}

function expectedAt(id: string, index: number): JsonObject | undefined {
  const found = command(id);
  const request = found.requests.at(index);
  assert.ok(request !== undefined, `${id} ${index}`);
  return expectedBody(found, request);
}

describe('the expected body of a kubectl request', () => {
  it('has what was sent, in JSON and in protobuf', () => {
    assert.deepEqual(expectedAt('create', -1), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { a: '1' },
      metadata: { name: 'conf', namespace: 'rec-kubectl' },
    });
    assert.deepEqual(expectedAt('create-namespace', 0), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'rec-kubectl' },
    });
  });

  it('is the Status that kubectl printed', () => {
    assert.deepEqual(expectedAt('create-again', -1), {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "conf" already exists',
    });
    const invalid = expectedAt('create-invalid', -1) as { details: { causes: unknown[] } };
    assert.equal(invalid.details.causes.length, 2);
  });

  it('has the name of a requested or deleted object', () => {
    assert.deepEqual(expectedAt('scale-precondition', -1), { metadata: { name: 'web' } });
    const expected = expectedAt('delete', 2);
    assert.deepEqual(expected, { deleted: 'conf' });
    for (const body of [
      { kind: 'Status', details: { name: 'conf' } },
      { kind: 'ConfigMap', metadata: { name: 'conf' } },
    ]) {
      assert.deepEqual(partsLike(expected, withDeleted('DELETE', body)), expected);
    }
  });

  it('is known for all but a few requests', async () => {
    const recordings = await loadRecordings();
    const unknown = commands.flatMap((each) =>
      each.requests
        .filter((request) => request.status !== 0 && !request.path.includes('watch=true'))
        .filter((request) => twinOf(recordings, request) === undefined)
        .filter((request) => expectedBody(each, request) === undefined)
        .map(() => each.id),
    );
    // No content, and the OpenAPI document of a custom resource.
    assert.deepEqual(unknown, [
      'logs',
      'cr-apply',
      'cr-apply-change',
      'cr-apply-bad',
      'cr-explain',
    ]);
  });
});

describe('the compared parts of a response', () => {
  it('are the expected ones, and extra items', () => {
    const own = { a: 1, b: 2, list: [{ x: 1, y: 2 }, { z: 3 }] };
    assert.deepEqual(partsLike({ a: 0, list: [{ x: 0 }] }, own), {
      a: 1,
      list: [{ x: 1 }, { z: 3 }],
    });
    assert.equal(partsLike({ a: 0 }, 'text'), 'text');
  });
});
