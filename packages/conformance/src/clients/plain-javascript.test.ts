import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Clientset, DiscoveryClient, DynamicClient, loadConfig, MetadataClient } from 'client-ts';
import { ClientError } from 'client-ts/internal';
import { RESTClient } from 'client-ts/rest';
import { type Transport, TransportError } from 'client-ts/transport';

/** Values of a variable in a program without types. */
const VALUES: readonly unknown[] = [undefined, null, 42, 'x', true, [], {}, { signal: 42 }];

/**
 * Fails every request: what gets this far was accepted. A retry cannot fix this failure, so that
 * `watchAll` ends with it too.
 */
const transport: Transport = {
  request: async () => {
    throw new TransportError('TRANSPORT_TLS_UNTRUSTED', 'self-signed certificate');
  },
  [Symbol.asyncDispose]: async () => undefined,
};

type Callable = (...values: readonly unknown[]) => unknown;

function methodsOf(target: object): Map<string, Callable> {
  const found = new Map<string, Callable>();
  for (
    let owner = target;
    owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner) as object
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof value !== 'function' || name === 'constructor' || found.has(name)) continue;
      found.set(name, (...values) => Reflect.apply(value, target, values));
    }
  }
  return found;
}

function* combinations(length: number): Generator<readonly unknown[]> {
  if (length === 0) yield [];
  else
    for (const rest of combinations(length - 1)) {
      for (const value of VALUES) yield [...rest, value];
    }
}

/** Calls the method, and reads the first item of an iterable result. */
async function attempt(method: Callable, values: readonly unknown[]): Promise<void> {
  const result = await method(...values);
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return;
  const items = result as AsyncIterable<unknown>;
  await items[Symbol.asyncIterator]().next();
}

/** Asserts that every error is a ClientError with a code. */
async function assertUnderstands(target: object, argumentsAtMost: number): Promise<void> {
  const accidents: string[] = [];
  for (const [name, method] of methodsOf(target)) {
    for (const values of combinations(argumentsAtMost)) {
      await attempt(method, values).catch((error: unknown) => {
        if (error instanceof ClientError) return;
        const given = values.map((value) => JSON.stringify(value)).join();
        accidents.push(`${name}(${given}): ${String(error)}`);
      });
    }
  }
  assert.deepEqual(accidents.slice(0, 10), []);
}

const place = { group: '', version: 'v1', resource: 'pods' };
const config = { server: 'http://127.0.0.1', transport };

describe('a program without types gets errors with a code', () => {
  it('from clients of one resource, whatever their methods are passed', async () => {
    await using client = new Clientset(config);
    await using dynamic = new DynamicClient(config);
    await using metadata = new MetadataClient(config);
    for (const pods of [
      client.coreV1.pods('default'),
      client.coreV1.pods(),
      dynamic.resource(place).namespace('default'),
      metadata.resource(place).namespace('default'),
    ]) {
      await assertUnderstands(pods, 3);
    }
  });

  it('from clients of a server, and from requests', async () => {
    await using client = new Clientset(config);
    await using dynamic = new DynamicClient(config);
    await using metadata = new MetadataClient(config);
    await using discovery = new DiscoveryClient(config);
    await using rest = new RESTClient(config);
    for (const target of [client, dynamic, metadata, discovery, rest, rest.get()]) {
      await assertUnderstands(target, 2);
    }
  });

  it('from constructors', () => {
    for (const constructor of [
      Clientset,
      DynamicClient,
      MetadataClient,
      DiscoveryClient,
      RESTClient,
    ]) {
      for (const [given, options] of combinations(2)) {
        try {
          Reflect.construct(constructor, [given, options]);
        } catch (error) {
          assert.ok(error instanceof ClientError, `${constructor.name}: ${String(error)}`);
        }
      }
    }
  });

  const untyped = <T>(value: unknown): T => value as T;

  it('with the name of what is missing', async () => {
    assert.throws(() => new Clientset(untyped(undefined)), {
      code: 'TRANSPORT_CONFIG',
      message: 'the config must be an object, not undefined',
      hint: "Pass await loadConfig(), or { server: 'https://host:port' }.",
    });
    const promise = loadConfig();
    promise.catch(() => undefined);
    assert.throws(() => new Clientset(untyped(promise)), { message: 'the config is a promise' });
    assert.throws(() => new Clientset(untyped({})), { message: 'server is missing' });
    await using client = new Clientset(config);
    const pods = client.coreV1.pods('default');
    const untypedPods =
      untyped<Record<'apply' | 'patch', (...values: unknown[]) => Promise<unknown>>>(pods);
    await assert.rejects(pods.get(untyped(undefined)), {
      code: 'REST_REQUEST_INVALID',
      message: 'the name must be a string, not undefined',
    });
    await assert.rejects(untypedPods.patch('web', {}), {
      message: 'a patch needs options with its type',
      hint: "Pass { type: 'merge' }, or 'json', 'strategic' or 'apply'.",
    });
    await assert.rejects(untypedPods.patch('web', {}, { type: 'json-patch' }), {
      message: 'the type of a patch must be one of apply, json, merge, strategic, not "json-patch"',
    });
    await assert.rejects(untypedPods.apply({}, {}), {
      message: 'apply needs options with a fieldManager',
    });
    await assert.rejects(pods.create(untyped(undefined)), {
      message: 'the object must be an object, not undefined',
    });
    await assert.rejects(pods.list(untyped({ labelSelector: { matchLabels: {} } })), {
      message: 'the labelSelector must be a string or a matcher',
    });
    const everywhere = untyped<typeof pods>(client.coreV1.pods());
    await assert.rejects(everywhere.create({ metadata: { name: 'web' } }), {
      message: 'an object cannot be created in all namespaces',
      hint: "Pass a namespace: pods('default') instead of pods().",
    });
    await assert.rejects(everywhere.get('web'), {
      message: 'the object "web" cannot be addressed in all namespaces',
    });
  });
});
