import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type JsonValue } from 'client-ts/internal';
import { pointerSteps, textAt, valueAt, withValueAt } from '../json/pointer.ts';
import { isBase64, type RecordedExchange, type Recording } from './format.ts';
import { comparerFor, differencesOf, recordedAnswer, recordings } from './test-compare.ts';

describe('what has no fixed order', () => {
  const withCauses = recordings.flatMap((recording) =>
    recording.exchanges
      .filter(({ response }) => response.trimmed !== true && causesOf(response.body).length > 1)
      .map((exchange) => ({ recording, exchange, name: `${recording.group}/${exchange.id}` })),
  );

  it('is accepted in any order: managed fields', () => {
    for (const recording of recordings) {
      const comparer = comparerFor(recording);
      for (const exchange of recording.exchanges) {
        const { body, trimmed } = exchange.response;
        if (trimmed === true || !isJsonObject(body) || isBase64(body)) continue;
        const turned = { ...recordedAnswer(exchange), body: withFieldsTurned(body) };
        const found = comparer.compare(exchange, turned);
        assert.deepEqual(found, [], `${recording.group}/${exchange.id}`);
      }
    }
  });

  it('is accepted in any order: causes that kube-apiserver finds by iterating over a map', () => {
    const walks = withCauses.filter(({ recording, exchange }) =>
      causesOf(exchange.response.body).some((_cause, index) => {
        const found = differencesWith(recording, exchange, (causes) => swapped(causes, index));
        return index > 0 && found.length === 0 && !isSame(exchange.response.body, index);
      }),
    );
    assert.deepEqual(
      walks.map(({ name }) => name),
      [
        // Properties of a custom resource, then of a schema.
        'crd/create-invalid',
        'crd/crd-structural',
        // Keys of data, then labels.
        'crud-errors/bad-data-key',
        'crud-errors/bad-labels',
        'crud-kinds/pod-many-errors',
      ],
    );
  });

  it('does not include other causes', () => {
    assert.ok(withCauses.length > 40, `only ${withCauses.length} exchanges have several causes`);
    for (const { recording, exchange, name } of withCauses) {
      const all = causesOf(exchange.response.body);
      const found = differencesWith(recording, exchange, (causes) => [
        ...causes.slice(-1),
        ...causes.slice(0, -1),
      ]);
      const isWalk = ['crd/crd-structural', 'crud-errors/bad-data-key'].includes(name);
      const isUniform = all.every((cause) => JSON.stringify(cause) === JSON.stringify(all[0]));
      assert.equal(found.length === 0, isWalk || isUniform, name);
    }
  });

  it('must agree between the message and the causes', () => {
    for (const { recording, exchange, name } of withCauses) {
      const found = differencesOf(recording, exchange.id, (answer) => ({
        ...answer,
        body: withValueAt(answer.body ?? null, pointerSteps('/message'), 'something else'),
      }));
      assert.deepEqual(found, ['/response/body/message'], name);
    }
  });

  function causesOf(body: JsonValue | undefined): readonly JsonValue[] {
    return (valueAt(body, '/details/causes') ?? []) as readonly JsonValue[];
  }

  function swapped(causes: readonly JsonValue[], index: number): JsonValue[] {
    const [before, at] = [causes[index - 1] ?? null, causes[index] ?? null];
    return causes.map((cause, place) =>
      place === index - 1 ? at : place === index ? before : cause,
    );
  }

  function isSame(body: JsonValue | undefined, index: number): boolean {
    const causes = causesOf(body);
    return JSON.stringify(causes[index]) === JSON.stringify(causes[index - 1]);
  }

  /** Compares a response with its causes in another order, also in the message. */
  function differencesWith(
    recording: Recording,
    exchange: RecordedExchange,
    change: (causes: readonly JsonValue[]) => JsonValue[],
  ): string[] {
    const listed = (items: readonly JsonValue[]): string =>
      `[${items.map((item) => `${textAt(item, '/field')}: ${textAt(item, '/message')}`).join(', ')}]`;
    return differencesOf(recording, exchange.id, (answer) => {
      const causes = causesOf(answer.body);
      const changed = change(causes);
      const message = textAt(answer.body, '/message').replace(listed(causes), () =>
        listed(changed),
      );
      const body = withValueAt(answer.body ?? null, ['message'], message);
      return { ...answer, body: withValueAt(body, ['details', 'causes'], changed) };
    });
  }

  function withFieldsTurned(value: JsonValue | undefined): JsonValue {
    if (Array.isArray(value)) return value.map(withFieldsTurned);
    if (!isJsonObject(value)) return value ?? null;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const turned = withFieldsTurned(item);
        const isFields = key === 'managedFields' && Array.isArray(turned);
        return [key, isFields ? turned.toReversed() : turned];
      }),
    );
  }
});
