import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { JsonValue } from 'client-ts/internal';

import { pointerOf, pointerPattern, pointerSteps, valueAt, withValueAt } from '../json/pointer.ts';
import { differencesOf, group, leaves, otherThan } from './test-compare.ts';
import { textNormaliser } from './text.ts';

const now = Date.parse('2027-03-01T00:00:00Z');
const normalise = textNormaliser(
  [
    { pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', as: '<uid>' },
    { pattern: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, as: '<time>' },
    { pattern: String.raw`(current: )\d+$`, as: '$1<rv>' },
  ],
  now,
);

describe('volatile text', () => {
  it('removes times of the server but keeps those of clients', () => {
    const recorded = normalise('at 2026-11-15T04:00:00Z, not 2024-01-02T03:04:05Z', 'recorded');
    const own = normalise('at 2027-03-01T00:00:09Z, not 2024-01-02T03:04:05Z', 'own');
    assert.equal(recorded.text, 'at <time>, not 2024-01-02T03:04:05Z');
    assert.equal(own.text, recorded.text);
  });

  it('takes times of the recorded day for those of the server also when they are sent again', () => {
    assert.equal(normalise('at 2026-11-15T04:12:13Z', 'recorded').text, 'at <time>');
    assert.equal(normalise('at 2026-11-15T04:12:13Z', 'own').text, 'at <time>');
  });

  it('does not compare how long ago something was', () => {
    assert.equal(normalise('2 (2y318d ago)', 'recorded').text, '2 (<age> ago)');
    assert.equal(normalise('2 (3y ago)', 'own').text, '2 (<age> ago)');
    assert.equal(normalise('3 (5m ago)', 'own').text, '3 (<age> ago)');
  });

  it('collects uids, in order', () => {
    const uid = '0408b8b1-49da-47a9-ac80-456cef0713c2';
    assert.deepEqual(normalise(`uid ${uid}!`, 'own'), { text: 'uid <uid>!', uids: [uid] });
  });

  it('applies the other rules literally', () => {
    assert.equal(normalise('current: 17', 'own').text, 'current: <rv>');
  });
});

describe('descriptions of types and operations', () => {
  const recording = group('openapi');
  const info = '/components/schemas/io.k8s.apimachinery.pkg.version.Info';

  it('may be worded differently, but must exist', () => {
    const differences = (pointer: string, value: JsonValue): string[] =>
      differencesOf(recording, 'doc-version', (answer) => ({
        ...answer,
        body: withValueAt(answer.body ?? null, pointerSteps(pointer), value),
      }));
    for (const pointer of [
      `${info}/description`,
      `${info}/properties/major/description`,
      '/paths/~1version~1/get/description',
    ]) {
      assert.deepEqual(differences(pointer, 'Our own words'), []);
      assert.deepEqual(differences(pointer, null), [`/response/body${pointer}`]);
    }
    const status = '/paths/~1version~1/get/responses/200/description';
    for (const pointer of [`${info}/type`, status]) {
      assert.deepEqual(differences(pointer, 'array'), [`/response/body${pointer}`]);
    }
  });
});

describe('descriptions of columns', () => {
  const recording = group('tables');
  const withBody = (id: string, pointer: string, value: JsonValue): string[] =>
    differencesOf(recording, id, (answer) => ({
      ...answer,
      body: withValueAt(answer.body ?? null, pointerSteps(pointer), value),
    }));

  it('may be worded differently, but must exist', () => {
    const description = '/columnDefinitions/1/description';
    assert.deepEqual(withBody('pods', description, 'Our own words'), []);
    for (const value of [null, 1, true, {}, []]) {
      assert.deepEqual(withBody('pods', description, value), [`/response/body${description}`]);
    }
    const missing = differencesOf(recording, 'pods', (answer) => {
      const body = structuredClone(answer.body) as { columnDefinitions: object[] };
      const { description: _, ...rest } = body.columnDefinitions[1] as { description: string };
      body.columnDefinitions[1] = rest;
      return { ...answer, body: body as unknown as JsonValue };
    });
    assert.deepEqual(missing, [`/response/body${description}`]);
  });

  it('are the only difference allowed in a table', () => {
    const { body } = recording.exchanges.find(({ id }) => id === 'configmaps')?.response ?? {};
    const volatile = recording.volatile.map(pointerPattern);
    let changes = 0;
    for (const steps of leaves(body)) {
      const path = ['response', 'body', ...steps];
      if (steps.at(-1) === 'description' || volatile.some((matches) => matches(path))) continue;
      const changed = otherThan(valueAt(body, pointerOf(steps)));
      assert.notDeepEqual(withBody('configmaps', pointerOf(steps), changed), [], pointerOf(steps));
      changes++;
    }
    assert.ok(changes > 20, `only ${changes} changes were tried`);
  });

  it('may be worded differently in the frames of a watch', () => {
    const reworded = (change: (column: Record<string, unknown>) => void): string[] =>
      differencesOf(group('watch-encodings'), 'pod-table', (answer) => {
        const events = (answer.events ?? []).map((event) => {
          const frame = JSON.parse(Buffer.from(event.bytes).toString()) as {
            object: { columnDefinitions: Record<string, unknown>[] };
          };
          for (const column of frame.object.columnDefinitions) change(column);
          return { ...event, bytes: Buffer.from(JSON.stringify(frame)) };
        });
        return { ...answer, events };
      });
    assert.deepEqual(
      reworded((column) => (column['description'] = 'Our own words')),
      [],
    );
    assert.equal(reworded((column) => (column['format'] = 'other')).length, 9);
  });

  it('elsewhere must be equal', () => {
    const definitions = group('crd');
    const created = definitions.exchanges.find(({ response }) =>
      leaves(response.body).some((steps) => steps.at(-1) === 'description'),
    );
    const steps = leaves(created?.response.body).find((each) => each.at(-1) === 'description');
    assert.ok(created !== undefined && steps !== undefined);
    const found = differencesOf(definitions, created.id, (answer) => ({
      ...answer,
      body: withValueAt(answer.body ?? null, steps, 'Our own words'),
    }));
    assert.deepEqual(found, [`/response/body${pointerOf(steps)}`]);
  });

  it('may be worded differently in YAML, and nothing else may', () => {
    const id = 'pods-yaml-table';
    const withText = (change: (text: string) => string): string[] =>
      differencesOf(recording, id, (answer) => {
        const text = change(answer.body as string);
        return { ...answer, body: text, bytes: Buffer.from(text) };
      });
    const own = (text: string): string =>
      text.replaceAll(/^- description: .*\n(?: {4}.*\n|\n)*/gm, '- description: Our own words\n');
    assert.deepEqual(withText(own), []);
    for (const [from, to] of [
      ['name: Ready', 'name: Other'],
      ['format: name', 'format: ""'],
      ['priority: 1', 'priority: 0'],
      ['- Pending', '- Running'],
      ['- description: Our own words\n', '- description:\n'],
      ['- description: Our own words\n  format', '- format'],
    ] as const) {
      const changed = withText((text) => {
        const before = own(text);
        assert.ok(before.includes(from), from);
        return before.replace(from, to);
      });
      assert.deepEqual(changed, ['/response/body'], from);
    }
  });
});
