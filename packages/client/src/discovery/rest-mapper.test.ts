import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from '../lib/deferred.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  AmbiguousMatchError,
  isAmbiguousError,
  isNoMatchError,
  NoMatchError,
} from './mapping-error.ts';
import { type MapperSource, RESTMapper } from './rest-mapper.ts';
import type { ServerResources } from './discovery-interface.ts';
import { resource, serverResources } from './test-resources.ts';

const builtIn = {
  v1: [resource('pods', { shortNames: ['po'], categories: ['all'] }), resource('events')],
  'apps/v1': [resource('deployments', { shortNames: ['deploy'] })],
  'events.k8s.io/v1': [resource('events')],
};

const widgets = { 'example.com/v1': [resource('widgets')] };

/** A server whose resources can be changed, and which counts its requests. */
class Source implements MapperSource {
  served: ServerResources;
  asked = 0;

  constructor(served: ServerResources) {
    this.served = served;
  }

  async serverResources(): Promise<ServerResources> {
    this.asked += 1;
    return this.served;
  }
}

/** A {@link Source} that keeps its first result until it is invalidated. */
class Cache extends Source {
  #known: ServerResources | undefined;

  override async serverResources(): Promise<ServerResources> {
    this.#known ??= await super.serverResources();
    return this.#known;
  }

  invalidate(): void {
    this.#known = undefined;
  }
}

describe('RESTMapper', () => {
  it('finds kinds, resources and mappings, reading discovery once', async () => {
    const source = new Source(serverResources(builtIn));
    const mapper = new RESTMapper(source);
    assert.deepEqual(await mapper.kindFor('po'), { group: '', version: 'v1', kind: 'Pod' });
    assert.deepEqual(await mapper.resourceFor({ group: 'apps', kind: 'Deployment' }), {
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
    });
    assert.equal((await mapper.mapping('Deployment.v1.apps')).singular, 'deployment');
    assert.equal((await mapper.mapping({ resource: 'deploy' })).kind, 'Deployment');
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
    assert.equal((await mapper.mapping(object)).resource, 'deployments');
    const event = await mapper.mapping({ apiVersion: 'events.k8s.io/v1', kind: 'Event' });
    assert.equal(event.group, 'events.k8s.io');
    assert.deepEqual(await mapper.expandCategory('all'), [{ group: '', resource: 'pods' }]);
    assert.equal(source.asked, 1);
  });

  it('returns all matches in order of priority', async () => {
    const mapper = new RESTMapper(new Source(serverResources(builtIn)));
    assert.deepEqual(await mapper.kindsFor({ resource: 'events' }), [
      { group: '', version: 'v1', kind: 'Event' },
      { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
    ]);
    assert.deepEqual(await mapper.resourcesFor('events.events.k8s.io'), [
      { group: 'events.k8s.io', version: 'v1', resource: 'events' },
    ]);
    assert.deepEqual(await mapper.resourceFor('events'), {
      group: '',
      version: 'v1',
      resource: 'events',
    });
  });

  it('keeps the meaning of built-in names', async () => {
    const mapper = new RESTMapper(
      new Source(serverResources({ ...builtIn, 'aaa.example.com/v1': builtIn['apps/v1'] })),
    );
    assert.equal((await mapper.mapping('deploy')).group, 'apps');
    assert.equal((await mapper.mapping({ kind: 'Deployment' })).group, 'apps');
  });

  it('reports names that are not unique with everything they can mean', async () => {
    const mapper = new RESTMapper(
      new Source(
        serverResources({
          ...widgets,
          'example.com/v1beta1': widgets['example.com/v1'],
          'other.example.com/v1': [resource('widgets'), resource('w', { kind: 'Widget' })],
        }),
      ),
    );
    await assert.rejects(mapper.resourceFor('widgets'), (error) => {
      assert.ok(error instanceof AmbiguousMatchError);
      assert.ok(isAmbiguousError(new Error('wrapped', { cause: error })));
      assert.equal(isNoMatchError(error), false);
      assert.equal(error.code, 'DISCOVERY_AMBIGUOUS_MATCH');
      assert.equal(
        error.message,
        '"widgets" matches several resources: widgets.v1.example.com (example.com/v1 Widget), ' +
          'widgets.v1beta1.example.com (example.com/v1beta1 Widget), ' +
          'widgets.v1.other.example.com (other.example.com/v1 Widget)',
      );
      assert.equal(error.candidates.length, 3);
      return true;
    });
    const group = 'other.example.com';
    await assert.rejects(mapper.mapping({ group, kind: 'Widget' }), {
      code: 'DISCOVERY_AMBIGUOUS_MATCH',
    });
    assert.equal((await mapper.mapping({ group: 'example.com', kind: 'Widget' })).version, 'v1');
    assert.equal((await mapper.mapping({ group, resource: 'widgets' })).resource, 'widgets');
  });

  it('finds definitions that are installed later, and forgets removed ones on a reset', async () => {
    for (const source of [
      new Source(serverResources(builtIn)),
      new Cache(serverResources(builtIn)),
    ]) {
      const mapper = new RESTMapper(source);
      await mapper.mapping('pods');
      source.served = serverResources({ ...builtIn, ...widgets });
      assert.equal((await mapper.mapping('widget')).kind, 'Widget');
      assert.equal(source.asked, 2);
      source.served = serverResources(builtIn);
      assert.equal((await mapper.mapping('widget')).kind, 'Widget', 'what is known is not checked');
      mapper.reset();
      await assert.rejects(mapper.mapping('widget'), NoMatchError);
    }
  });

  it('looks again although the cache was read only now', async () => {
    const source = new Cache(serverResources(builtIn));
    await source.serverResources();
    source.served = serverResources(widgets);
    assert.equal((await new RESTMapper(source).mapping('widgets')).kind, 'Widget');
  });

  it('does not read again after a miss in a fresh result', async () => {
    const source = new Source(serverResources(builtIn));
    await assert.rejects(new RESTMapper(source).mapping('nopes'), NoMatchError);
    assert.equal(source.asked, 1);
  });

  it('reads again for a burst of misses and is then rate limited', async () => {
    const clock = new VirtualClock();
    const source = new Source(serverResources(builtIn));
    const mapper = new RESTMapper(source, { burst: 3, intervalMs: 10_000, clock });
    await mapper.mapping('pods');
    for (let miss = 0; miss < 10; miss += 1) {
      await assert.rejects(mapper.mapping(`nope-${miss}`), NoMatchError);
    }
    assert.equal(source.asked, 4);
    await clock.advance(9_999);
    await assert.rejects(mapper.mapping('nope'), NoMatchError);
    assert.equal(source.asked, 4);
    await clock.advance(1);
    source.served = serverResources(widgets);
    assert.equal((await mapper.mapping('widgets')).kind, 'Widget');
    assert.equal(source.asked, 5);
  });

  it('shares one look between all that miss at the same time', async () => {
    const source = new Source(serverResources(builtIn));
    const mapper = new RESTMapper(source);
    await Promise.all([mapper.mapping('pods'), mapper.mapping('deploy')]);
    assert.equal(source.asked, 1);
    source.served = serverResources({ ...builtIn, ...widgets });
    await Promise.all(['widgets', 'widget', 'Widget'].map((name) => mapper.mapping(name)));
    assert.equal(source.asked, 2);
    const misses = ['a', 'b', 'c'].map((name) =>
      assert.rejects(mapper.mapping(name), NoMatchError),
    );
    await Promise.all(misses);
    assert.equal(source.asked, 3);
  });

  it('is not content with a look that began before what is sought was there', async () => {
    for (const initial of ['first reading', 'look for something else']) {
      const gate = new Deferred();
      const source = new Source(serverResources(builtIn));
      let isSlow = false;
      const slow: MapperSource = {
        serverResources: async () => {
          const served = await source.serverResources();
          if (isSlow) await gate.promise;
          return served;
        },
      };
      const mapper = new RESTMapper(slow);
      if (initial !== 'first reading') await mapper.mapping('pods');
      isSlow = true;
      const missing = assert.rejects(mapper.mapping('nopes'), NoMatchError);
      await nextTurn();
      isSlow = false;
      source.served = serverResources({ ...builtIn, ...widgets });
      const found = mapper.mapping('widgets');
      gate.resolve();
      assert.equal((await found).kind, 'Widget', initial);
      await missing;
    }
  });

  it('names what was looked for', async () => {
    const mapper = new RESTMapper(new Source(serverResources(builtIn)));
    const wanted: readonly (readonly [Parameters<typeof mapper.mapping>[0], string])[] = [
      ['nopes.example.com', 'no matches for "nopes.example.com"'],
      [{ resource: 'nopes', group: 'x' }, 'no matches for resource "nopes.x"'],
      [
        { kind: 'Nope', group: 'x.io', version: 'v1' },
        'no matches for kind "Nope" in version "x.io/v1"',
      ],
      [{ kind: 'Nope', group: 'x.io' }, 'no matches for kind "Nope" in group "x.io"'],
    ];
    for (const [name, message] of wanted) {
      await assert.rejects(mapper.mapping(name), { name: 'NoMatchError', message });
    }
    assert.deepEqual(await mapper.expandCategory('nope'), []);
  });

  it('names the groups that could not be read', async () => {
    const down = new Error('down');
    const failures = new Map([
      ['metrics.k8s.io/v1', down],
      ['other.example.com/v1', new Error('gone')],
    ]);
    const mapper = new RESTMapper(new Source(serverResources(builtIn, failures)));
    await assert.rejects(mapper.mapping({ group: 'metrics', resource: 'nodes' }), (error) => {
      assert.ok(error instanceof NoMatchError);
      assert.deepEqual([...error.failures], [['metrics.k8s.io/v1', down]]);
      assert.match(error.hint ?? '', /could not be read: metrics\.k8s\.io\/v1\./);
      assert.equal((error.cause as Error).cause, down);
      return true;
    });
    await assert.rejects(mapper.mapping('nodes'), { failures });
    await assert.rejects(mapper.mapping({ group: '', kind: 'Node' }), { failures: new Map() });
  });

  it('does not keep what was read before a reset', async () => {
    const gate = new Deferred();
    const source = new Source(serverResources(widgets));
    const slow: MapperSource = {
      serverResources: async () => {
        const isFirst = source.asked === 0;
        const served = await source.serverResources();
        if (isFirst) await gate.promise;
        return served;
      },
    };
    const mapper = new RESTMapper(slow);
    const early = mapper.mapping('widgets');
    await nextTurn();
    mapper.reset();
    source.served = serverResources(builtIn);
    await mapper.mapping('pods');
    gate.resolve();
    assert.equal((await early).kind, 'Widget', 'who asked before gets what there was');
    await assert.rejects(mapper.mapping('widgets'), NoMatchError);
  });

  it('throws what discovery throws, and the reason of an abort', async () => {
    const failure = new Error('no connection');
    const broken = new RESTMapper({ serverResources: () => Promise.reject(failure) });
    await assert.rejects(broken.mapping('pods'), failure);
    const reason = new Error('enough');
    const endless = new RESTMapper({
      serverResources: ({ signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const stop = new AbortController();
    const waiting = endless.mapping('pods', { signal: stop.signal });
    stop.abort(reason);
    await assert.rejects(waiting, reason);
  });
});
