import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FIELD_CODE,
  kindsOf,
  type MessageType,
  messageType,
  messageTypeOfKind,
} from './message-type.ts';
import { messageTable } from './tables.ts';
import { protobufApiVersions } from './test-api-versions.ts';

test('a line of the table becomes a message', () => {
  const statefulSet = messageType('apps.v1.StatefulSetSpec');
  const field = (name: string) => statefulSet.fields.find((candidate) => candidate.name === name);
  assert.equal(field('replicas')?.code, FIELD_CODE.int32);
  assert.equal(field('replicas')?.pointer, true);
  assert.equal(field('serviceName')?.always, true);
  assert.equal(field('template')?.type, messageType('core.v1.PodTemplateSpec'));
  assert.equal(field('volumeClaimTemplates')?.repeated, true);
  assert.equal(field('volumeClaimTemplates')?.apiVersion, 'v1');
  assert.equal(statefulSet.byNumber[5]?.name, 'serviceName');
  assert.equal(statefulSet.isKind, false);
  assert.equal(messageType('apps.v1.StatefulSet').isKind, true);
});

test('an inlined structure lends its names to the message around it', () => {
  const { names, always } = messageType('core.v1.EphemeralContainer');
  assert.ok(names.has('image') && names.has('targetContainerName'));
  assert.ok(!names.has('ephemeralContainerCommon') && !names.has(''));
  assert.deepEqual(
    always.map((field) => field.name),
    ['name', 'resources'],
  );
});

test('no field has a name that every object inherits', () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype);
  const names = Object.values(messageTable).flatMap((lines) => lines.split(/[\s:]+/));
  assert.deepEqual(
    inherited.filter((name) => names.includes(name)),
    [],
  );
});

test('kinds that an API version shares are found under each, other names under none', () => {
  assert.equal(messageTypeOfKind('apps/v1', 'DeleteOptions'), messageType('meta.v1.DeleteOptions'));
  assert.equal(messageTypeOfKind('v1', 'Status'), messageType('meta.v1.Status'));
  assert.equal(messageTypeOfKind('apps/v1', 'Pod'), undefined);
  assert.equal(messageTypeOfKind('example.com/v1', 'Widget'), undefined);
  assert.equal(messageTypeOfKind('__proto__', 'constructor'), undefined);
});

test('every reference in the tables leads to a message, and numbers ascend', () => {
  const seen = new Set<MessageType>();
  const visit = (type: MessageType): void => {
    if (seen.has(type)) return;
    seen.add(type);
    let previous = 0;
    for (const field of type.fields) {
      assert.ok(field.number > previous, `${type.name}.${field.name}`);
      previous = field.number;
      if (field.code === FIELD_CODE.message) visit(field.type);
    }
  };
  let kinds = 0;
  for (const apiVersion of protobufApiVersions()) {
    for (const name of kindsOf(apiVersion).values()) {
      kinds++;
      visit(messageType(name));
    }
  }
  assert.ok(kinds > 150, `${kinds} kinds`);
  assert.ok(seen.size > 600, `${seen.size} messages`);
});
