import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from 'client-ts/internal';
import type { Answer } from './answer.ts';
import { fillRequest, MissingReferenceError } from './fill.ts';
import { loadRecordings, type RecordedExchange, type Recording } from './format.ts';

function answer(body: JsonValue, headers: Answer['headers'] = {}): Answer {
  return { status: 200, headers, body, bytes: new Uint8Array(), encodedBytes: 0 };
}

function recordingOf(...exchanges: RecordedExchange[]): Recording {
  return { server: '', group: '', about: '', volatile: [], volatileText: [], exchanges };
}

const create: RecordedExchange = {
  id: 'create',
  about: '',
  request: { method: 'POST', path: '/x', headers: {} },
  response: { status: 201, headers: { etag: '"ABC"' } },
};

const later: RecordedExchange = {
  id: 'later',
  about: '',
  request: {
    method: 'PUT',
    path: '/x?continue=tok&hash=ABC',
    headers: { 'if-none-match': '"ABC"' },
    body: { metadata: { uid: 'recorded', name: 'n' } },
    refs: [
      { at: '/body/metadata/uid', value: 'recorded', from: 'create', pointer: '/metadata/uid' },
      { at: '/path', value: 'tok', from: 'create', pointer: '/metadata/continue' },
    ],
  },
  response: { status: 200, headers: {} },
};

describe('filling a recorded request', () => {
  it('inserts values of this run: body, path, ETag and hash', () => {
    const own = answer({ metadata: { uid: 'own', continue: 'a=b' } }, { etag: '"DEF"' });
    const request = fillRequest(recordingOf(create, later), later, new Map([['create', own]]));
    assert.equal(request.path, '/x?continue=a%3Db&hash=DEF');
    assert.equal(request.headers['if-none-match'], '"DEF"');
    assert.deepEqual(JSON.parse(Buffer.from(request.body ?? []).toString()), {
      metadata: { uid: 'own', name: 'n' },
    });
  });

  it('takes the version of an object from the object, not from a list with the same version', () => {
    const body = (metadata: object): RecordedExchange['response'] => ({
      status: 200,
      headers: {},
      body: { metadata: { ...metadata, resourceVersion: '7' } },
    });
    const get = { ...create, id: 'get', response: body({ uid: 'u' }) };
    const list = { ...create, id: 'list', response: body({}) };
    const pointer = '/metadata/resourceVersion';
    const ref = { at: `/body${pointer}`, value: '7', from: 'list', pointer };
    const request = { ...later.request, body: { metadata: {} }, refs: [ref] };
    const answers = new Map([
      ['get', answer({ metadata: { resourceVersion: '70' } })],
      ['list', answer({ metadata: { resourceVersion: '75' } })],
    ]);
    const filled = fillRequest(recordingOf(get, list), { ...later, request }, answers);
    assert.match(Buffer.from(filled.body ?? []).toString(), /"70"/);
  });

  it('names the response that lacks a needed value', () => {
    const answers = new Map([['create', answer({ metadata: {} })]]);
    assert.throws(
      () => fillRequest(recordingOf(create, later), later, answers),
      (error) => error instanceof MissingReferenceError && error.message.includes('"create"'),
    );
  });

  it('can generate every described body of the recordings', async () => {
    let described = 0;
    for (const recording of await loadRecordings()) {
      const token = answer({ status: { token: 'a.b.c' } });
      for (const exchange of recording.exchanges) {
        if (exchange.request.bodyDescribed !== true) continue;
        described++;
        const { body } = fillRequest(recording, exchange, new Map([['token', token]]));
        const text = Buffer.from(body ?? []).toString();
        assert.doesNotMatch(text, /repeated|times|<the token/, exchange.id);
        assert.ok(text.includes('a.b.c') || text.length > 10_000, exchange.id);
      }
    }
    assert.equal(described, 15);
  });
});
