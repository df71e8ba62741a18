import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from 'client-ts/internal';
import type { Answer } from './answer.ts';
import { reduceLike } from './reduce.ts';

function answer(body: JsonValue, headers: Answer['headers'] = {}): Answer {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status: 200, headers, body, bytes, encodedBytes: bytes.length };
}

describe('reducing a response like its recording', () => {
  const list = {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '7', remainingItemCount: 2 },
    items: [
      { metadata: { name: 'a', namespace: 'n' } },
      { metadata: { name: 'b', namespace: 'm' } },
    ],
  };

  it('turns the items of a list into names, with the namespace if recorded', () => {
    assert.deepEqual(reduceLike({ names: ['x'] }, answer(list)), { names: ['a', 'b'] });
    assert.deepEqual(reduceLike({ names: ['n/x'] }, answer(list)), { names: ['n/a', 'm/b'] });
    assert.deepEqual(reduceLike(['x'], answer(list)), ['a', 'b']);
    assert.deepEqual(reduceLike({ items: 5 }, answer(list)), { items: 2 });
  });

  it('keeps the metadata of a list', () => {
    const reduced = reduceLike({ metadata: { resourceVersion: '1' } }, answer(list));
    assert.deepEqual(reduced, { metadata: list.metadata });
  });

  it('trims the metadata of an object, except for fields that show an event', () => {
    const object = {
      metadata: { name: 'a', uid: 'u', generation: 2, finalizers: ['f'], labels: { a: 'b' } },
      spec: { replicas: 1 },
    };
    assert.deepEqual(
      reduceLike({ metadata: { uid: 'v', generation: 1 }, spec: {} }, answer(object)),
      {
        metadata: { uid: 'u', generation: 2, finalizers: ['f'], labels: { a: 'b' } },
        spec: { replicas: 1 },
      },
    );
  });

  it('never reduces an error', () => {
    const status = { kind: 'Status', message: 'no', code: 400 };
    assert.deepEqual(reduceLike({ names: [] }, answer(status)), status);
  });

  it('represents missing values as null', () => {
    assert.deepEqual(reduceLike({ generation: null }, answer({ metadata: {} })), {
      generation: null,
    });
  });

  it('summarises tables', () => {
    const table = {
      kind: 'Table',
      columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', priority: 0 }],
      rows: [{ cells: ['a'] }],
    };
    const recorded = { columnDefinitions: [['', '', '', 1]], cells: [] };
    assert.deepEqual(reduceLike(recorded, answer(table)), {
      columnDefinitions: [['Name', 'string', 'name', 0]],
      cells: ['a'],
    });
    assert.deepEqual(reduceLike({ columnDefinitions: [''], rows: 0 }, answer(table)), {
      columnDefinitions: ['Name'],
      rows: 1,
    });
  });

  it('measures what was not recorded', () => {
    const own = answer({ a: 1 }, { 'transfer-encoding': 'chunked' });
    const recorded = {
      bodyLeftOut: true,
      encodedBytes: 1,
      contentLengthHeader: true,
      transferEncoding: '',
    };
    assert.deepEqual(reduceLike(recorded, own), {
      bodyLeftOut: true,
      encodedBytes: 7,
      contentLengthHeader: false,
      transferEncoding: 'chunked',
    });
  });

  it('keeps the part of a text before an ellipsis', () => {
    assert.equal(reduceLike('[+]ping ok\n...', answer('[+]ping ok\n[+]x ok\n')), '[+]ping ok\n...');
    assert.equal(reduceLike('[+]ping ok\n...', answer('no')), 'no');
  });
});
