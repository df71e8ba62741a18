import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type JsonValue, type Random, seededRandom } from 'client-ts/internal';
import type { Answer, CapturedEvent } from './answer.ts';
import { isBase64, type RecordedExchange, type Recording } from './format.ts';
import { pointerOf, pointerPattern, valueAt, withValueAt } from '../json/pointer.ts';
import { isLeftOut } from './left-out.ts';
import { isReworded } from './text.ts';
import {
  bytesOf,
  comparerFor,
  differencesOf,
  group,
  leaves,
  otherThan,
  recordedAnswer,
  recordings,
} from './test-compare.ts';

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random.next() * items.length)] as T;
}

describe('the comparer', () => {
  it('finds no difference in the recorded responses themselves', () => {
    for (const recording of recordings) {
      const comparer = comparerFor(recording);
      for (const exchange of recording.exchanges) {
        if (exchange.response.trimmed === true) continue;
        const differences = comparer.compare(exchange, recordedAnswer(exchange));
        assert.deepEqual(differences, [], `${recording.group}/${exchange.id}`);
      }
    }
  });

  it('finds a change of any value that is not declared volatile', () => {
    const random = seededRandom(36);
    let changes = 0;
    for (const recording of recordings) {
      const volatile = recording.volatile.map(pointerPattern);
      const comparer = comparerFor(recording);
      for (const exchange of recording.exchanges) {
        const { body, trimmed } = exchange.response;
        if (trimmed === true || !isJsonObject(body) || isBase64(body)) continue;
        const answer = recordedAnswer(exchange);
        for (let round = 0; round < 3; round++) {
          const steps = pick(random, leaves(body));
          const path = ['response', 'body', ...steps];
          const own = [...volatile, ...(exchange.volatile ?? []).map(pointerPattern)];
          const recorded = valueAt(body, pointerOf(steps));
          if (own.some((matches) => matches(path)) || isReworded(path, recorded)) continue;
          const changed = withValueAt(body, steps, otherThan(recorded));
          const found = comparer.compare(exchange, { ...answer, body: changed });
          assert.notEqual(found.length, 0, `${recording.group}/${exchange.id} ${pointerOf(path)}`);
          changes++;
        }
        comparer.compare(exchange, answer);
      }
    }
    assert.ok(changes > 2_000, `only ${changes} changes were tried`);
  });

  it('finds an extra field, a missing field and an extra item', () => {
    const recording = group('crud-configmap');
    const created = recording.exchanges.find(({ response }) => response.status === 201);
    assert.ok(created !== undefined);
    const withBody = (change: (body: Record<string, unknown>) => void) => (answer: Answer) => {
      const body = structuredClone(answer.body) as Record<string, unknown>;
      change(body);
      return { ...answer, body: body as JsonValue };
    };
    const paths = (change: (body: Record<string, unknown>) => void): string[] =>
      differencesOf(recording, created.id, withBody(change));
    assert.deepEqual(
      paths((body) => (body['extra'] = 1)),
      ['/response/body/extra'],
    );
    assert.deepEqual(
      paths((body) => delete body['kind']),
      ['/response/body/kind'],
    );
    const metadata = (body: Record<string, unknown>): Record<string, unknown> =>
      body['metadata'] as Record<string, unknown>;
    assert.deepEqual(
      paths((body) => delete metadata(body)['uid']),
      ['/response/body/metadata/uid'],
    );
    assert.deepEqual(
      paths((body) => (metadata(body)['managedFields'] as unknown[]).push({ manager: 'other' })),
      ['/response/body/metadata/managedFields/1'],
    );
  });

  it('compares status and relevant headers, present or absent', () => {
    const recording = group('crud-params');
    const warned = recording.exchanges.find(({ response }) => response.headers['warning']);
    assert.ok(warned !== undefined);
    const changed = (change: Partial<Answer>): string[] =>
      differencesOf(recording, warned.id, (answer) => ({ ...answer, ...change }));
    const { headers } = warned.response;
    assert.deepEqual(changed({ status: 418 }), ['/response/status']);
    assert.deepEqual(
      changed({ headers: { ...headers, warning: 'other' } })[0],
      '/response/headers/warning/0',
    );
    assert.deepEqual(changed({ headers: { ...headers, warning: undefined } }), [
      '/response/headers/warning',
    ]);
    assert.deepEqual(changed({ headers: { ...headers, 'retry-after': '1' } }), [
      '/response/headers/retry-after',
    ]);
    assert.deepEqual(changed({ headers: { ...headers, date: 'now' } }), []);
  });
});

describe('identities', () => {
  const recording: Recording = {
    ...group('semantics'),
    exchanges: [
      exchangeWith('create', { uid: 'u1', resourceVersion: '10' }),
      exchangeWith('same', { uid: 'u1', resourceVersion: '10' }),
      exchangeWith('changed', { uid: 'u1', resourceVersion: '11' }),
    ],
  };

  function exchangeWith(id: string, metadata: Record<string, string>): RecordedExchange {
    return {
      id,
      about: id,
      request: { method: 'GET', path: '/api/v1/namespaces/n/configmaps/c', headers: {} },
      response: { status: 200, headers: {}, body: { kind: 'ConfigMap', metadata } },
    };
  }

  function run(...metadata: { uid: string; resourceVersion: string }[]): string[][] {
    const comparer = comparerFor(recording);
    return metadata.map((own, index) => {
      const exchange = recording.exchanges[index] as RecordedExchange;
      const body = { kind: 'ConfigMap', metadata: own };
      const answer = { status: 200, headers: {}, body, bytes: bytesOf(body), encodedBytes: 0 };
      return comparer.compare(exchange, answer).map(({ path }) => path);
    });
  }

  const uid = '/response/body/metadata/uid';
  const version = '/response/body/metadata/resourceVersion';

  it('accept other values that are equal and different in the same places', () => {
    assert.deepEqual(
      run(
        { uid: 'a', resourceVersion: '700' },
        { uid: 'a', resourceVersion: '700' },
        { uid: 'a', resourceVersion: '705' },
      ),
      [[], [], []],
    );
  });

  it('reject a write that changed the version although nothing changed', () => {
    assert.deepEqual(
      run({ uid: 'a', resourceVersion: '700' }, { uid: 'a', resourceVersion: '701' }),
      [[], [version]],
    );
  });

  it('reject a write that kept the version although something changed', () => {
    assert.deepEqual(
      run(
        { uid: 'a', resourceVersion: '700' },
        { uid: 'a', resourceVersion: '700' },
        { uid: 'a', resourceVersion: '700' },
      ),
      [[], [], [version]],
    );
  });

  it('reject a new uid for the same object', () => {
    assert.deepEqual(
      run({ uid: 'a', resourceVersion: '700' }, { uid: 'b', resourceVersion: '700' }),
      [[], [uid]],
    );
  });

  it('tolerate what follows from an earlier difference', () => {
    assert.deepEqual(
      run(
        { uid: 'a', resourceVersion: '700' },
        { uid: 'a', resourceVersion: '701' },
        { uid: 'a', resourceVersion: '702' },
      ),
      [[], [version], []],
    );
  });
});

describe('watch frames', () => {
  const recording = group('watch');
  const id = 'from-rv';
  const changed = (change: (events: CapturedEvent[]) => void): string[] =>
    differencesOf(recording, id, (answer) => {
      const events = [...(answer.events ?? [])];
      change(events);
      return { ...answer, events };
    });
  const frame = (event: CapturedEvent | undefined): { type: string; object: object } =>
    JSON.parse(Buffer.from(event?.bytes ?? []).toString()) as { type: string; object: object };

  it('must all arrive, in order, and no others', () => {
    assert.deepEqual(
      changed(() => undefined),
      [],
    );
    assert.notDeepEqual(
      changed((events) => events.pop()),
      [],
    );
    assert.notDeepEqual(
      changed((events) => events.push(...events.splice(0, 1))),
      [],
    );
    assert.notDeepEqual(
      changed((events) => events.push(events[0] as CapturedEvent)),
      [],
    );
  });

  it('must have the recorded type and arrive after the recorded exchange', () => {
    const retyped = changed((events) => {
      const { object } = frame(events[0]);
      events[0] = {
        after: 'a-create',
        bytes: Buffer.from(JSON.stringify({ type: 'OTHER', object })),
      };
    });
    assert.deepEqual(retyped, ['/response/events/0/frame/type']);
    const late = changed((events) => {
      events[0] = { ...(events[0] as CapturedEvent), after: 'b-create' };
    });
    assert.deepEqual(late, ['/response/events/0/after']);
  });

  it('must end as recorded, and not early', () => {
    const ended = (change: Partial<Answer>): string[] =>
      differencesOf(recording, 'timeout', (answer) => ({ ...answer, ...change }));
    assert.deepEqual(ended({ closedBy: 'client' }), ['/response/closedBy']);
    assert.deepEqual(ended({ closedBy: 'broken connection' }), ['/response/closedBy']);
    assert.deepEqual(ended({ closedAfterMs: 20 }), ['/response/closedAfterMs']);
  });

  it('are decoded if they are protobuf', () => {
    const found = differencesOf(group('watch-encodings'), 'protobuf', (answer) => {
      const [first, second, third] = answer.events ?? [];
      const events = [second, second, third].filter((event) => event !== undefined);
      assert.ok(first !== undefined);
      return { ...answer, events };
    });
    assert.ok(found.includes('/response/events/0/frame/type'), found.join(' '));
  });
});

describe('a body that was left out of the recording', () => {
  const left = recordings.flatMap((recording) =>
    recording.exchanges
      .filter((exchange) => isLeftOut(exchange))
      .map((exchange) => ({ recording, exchange })),
  );

  it('is compared with the same content in another exchange', () => {
    assert.deepEqual(
      left.map(({ exchange }) => exchange.id),
      ['marker', 'doc-apps-v1-protobuf', 'v2-protobuf'],
    );
    for (const { recording, exchange } of left) {
      const answer = { ...recordedAnswer(exchange), body: 'other', bytes: Buffer.from('other') };
      const found = comparerFor(recording).compare(exchange, answer);
      assert.deepEqual(
        found.map(({ path }) => path),
        ['/response/body'],
        exchange.id,
      );
    }
  });

  it('is compared with nothing if it was empty', () => {
    const recording = group('openapi');
    const empty = recording.exchanges.find(({ id }) => id === 'doc-apps-v1-yaml');
    assert.ok(empty !== undefined);
    const comparer = comparerFor(recording);
    assert.deepEqual(comparer.compare(empty, recordedAnswer(empty)), []);
    const found = comparer.compare(empty, { ...recordedAnswer(empty), body: 'something' });
    assert.deepEqual(
      found.map(({ path }) => path),
      ['/response/body'],
    );
  });
});
