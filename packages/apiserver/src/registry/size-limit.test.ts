import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiError } from 'client-ts/meta';

import type { ApiObject } from './object.ts';
import { checkSize } from './size-limit.ts';

const KEY = '//configmaps/default/c';

function configMap(data: Record<string, string>): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data };
}

function widget(spec: object): ApiObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec,
  };
}

function refusal(object: ApiObject): string | undefined {
  try {
    checkSize(KEY, object);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status.code, 500);
    return error.message;
  }
}

describe('checkSize', () => {
  const limit = 1.5 * 1024 * 1024;

  it('accepts objects up to about the limit of etcd', () => {
    assert.equal(refusal(configMap({ a: 'x'.repeat(limit - 500) })), undefined);
    assert.equal(refusal(configMap({ a: 'x'.repeat(limit) })), 'etcdserver: request is too large');
    assert.equal(refusal(widget({ a: 'x'.repeat(limit - 500) })), undefined);
    assert.equal(refusal(widget({ a: 'x'.repeat(limit) })), 'etcdserver: request is too large');
  });

  it('reports objects that are too large to send', () => {
    assert.match(
      refusal(configMap({ a: 'x'.repeat(2 * 1024 * 1024) })) ?? '',
      /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(20\d{5} vs\. 2097152\)$/,
    );
  });

  it('counts bytes, not characters', () => {
    assert.equal(refusal(widget({ a: 'x'.repeat(limit / 3) })), undefined);
    assert.equal(refusal(widget({ a: '€'.repeat(limit / 3) })), 'etcdserver: request is too large');
    assert.equal(
      refusal(widget({ a: '\u0001'.repeat(limit / 6) })),
      'etcdserver: request is too large',
    );
  });

  it('counts the stored encoding: field names take no space in built-in kinds', () => {
    const addresses = Array.from({ length: 40_000 }, (_, index) => ({ ip: `10.0.0.${index}` }));
    const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'e' } };
    const object = { ...endpoints, subsets: [{ addresses }, { addresses }] };
    assert.ok(JSON.stringify(object).length > limit);
    assert.equal(refusal(object as ApiObject), undefined);
    assert.equal(refusal(widget(object)), 'etcdserver: request is too large');
  });
});
