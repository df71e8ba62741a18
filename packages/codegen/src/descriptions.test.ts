import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { getKey } from 'client-ts/internal';

import {
  type CommonDescriptions,
  describeModel,
  type DescriptionFile,
  type Descriptions,
  joinDescriptions,
  loadDescriptions,
} from './descriptions.ts';
import { type ApiModel, loadApiModel, splitSchemaId } from './model.ts';
import type { Schema } from './schema.ts';
import { referenceOf } from './schema-types.ts';

const model = loadApiModel();
const descriptions = loadDescriptions(model);

/** The kinds that most programs use. Their lists, and all types that they contain, count too. */
const everydayKinds: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.apps.v1': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'io.k8s.api.autoscaling.v1': ['HorizontalPodAutoscaler', 'Scale'],
  'io.k8s.api.autoscaling.v2': ['HorizontalPodAutoscaler'],
  'io.k8s.api.batch.v1': ['CronJob', 'Job'],
  'io.k8s.api.coordination.v1': ['Lease'],
  'io.k8s.api.core.v1': [
    'ConfigMap',
    'Event',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'io.k8s.api.discovery.v1': ['EndpointSlice'],
  'io.k8s.api.events.v1': ['Event'],
  'io.k8s.api.networking.v1': ['Ingress', 'NetworkPolicy'],
  'io.k8s.api.policy.v1': ['Eviction', 'PodDisruptionBudget'],
  'io.k8s.api.rbac.v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'io.k8s.api.storage.v1': ['StorageClass'],
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1': ['CustomResourceDefinition'],
  'io.k8s.apimachinery.pkg.apis.meta.v1': ['Condition', 'LabelSelector', 'Status'],
};

function* references(schema: Schema): Generator<string> {
  const id = referenceOf(schema);
  if (id !== undefined) yield id;
  for (const property of Object.values(schema.properties ?? {})) yield* references(property);
  if (schema.items !== undefined) yield* references(schema.items);
  if (typeof schema.additionalProperties === 'object') {
    yield* references(schema.additionalProperties);
  }
}

/** Every type that can be reached from the everyday kinds, by schema id. */
function everydayTypes(): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (id: string): void => {
    const schema = getKey(model.schemas, id);
    if (found.has(id) || schema === undefined) return;
    found.set(id, schema);
    for (const reference of references(schema)) visit(reference);
  };
  for (const [path, kinds] of Object.entries(everydayKinds)) {
    for (const kind of kinds) {
      assert.ok(getKey(model.schemas, `${path}.${kind}`), `${path}.${kind}`);
      visit(`${path}.${kind}`);
      visit(`${path}.${kind}List`);
    }
  }
  return found;
}

function* texts(all: Descriptions): Generator<[place: string, text: string]> {
  for (const [id, { description, fields }] of all) {
    if (description !== undefined) yield [id, description];
    for (const [name, text] of Object.entries(fields)) yield [`${id}.${name}`, text];
  }
}

test('every type and every field of the everyday kinds has a description', () => {
  const missing: string[] = [];
  let fields = 0;
  const types = everydayTypes();
  for (const [id, { properties = {} }] of types) {
    const described = descriptions.get(id);
    if (described?.description === undefined) missing.push(id);
    for (const name of Object.keys(properties)) {
      fields++;
      if (getKey(described?.fields ?? {}, name) === undefined) missing.push(`${id}.${name}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(types.size > 360, `${types.size} types`);
  assert.ok(fields > 1600, `${fields} fields`);
});

test('descriptions are a few short sentences', () => {
  const wrong: string[] = [];
  for (const [place, text] of texts(descriptions)) {
    const words = text.replaceAll(/`[^`]*`/g, 'X');
    const sentences = words.split(/[.;](?:\s|$)/).filter((part) => part !== '');
    if (!/^(?:[A-Z]|0 )/.test(words)) wrong.push(`${place}: begins without a capital`);
    if (!text.endsWith('.')) wrong.push(`${place}: ends without a full stop`);
    if (text.length > 300) wrong.push(`${place}: has ${text.length} characters`);
    if (sentences.length > 5) wrong.push(`${place}: has ${sentences.length} sentences`);
    if (/\s{2}|``/.test(text)) wrong.push(`${place}: has stray spaces or backticks`);
    if ((text.split('`').length - 1) % 2 !== 0) wrong.push(`${place}: has a lone backtick`);
  }
  assert.deepEqual(wrong, []);
});

test('the description of a field does not repeat that of its type', () => {
  const repeated: string[] = [];
  for (const [id, { fields }] of descriptions) {
    const { properties = {} } = model.schemas[id] ?? {};
    for (const [name, text] of Object.entries(fields)) {
      const [type] = references(getKey(properties, name) ?? {});
      if (type !== undefined && descriptions.get(type)?.description === text) {
        repeated.push(`${id}.${name}`);
      }
    }
  }
  assert.deepEqual(repeated, []);
});

test('the hand-written types of meta/v1 carry the same descriptions', () => {
  const source = readFileSync(new URL('../../client/src/meta/types.ts', import.meta.url), 'utf8');
  const wrong: string[] = [];
  for (const [id, { description, fields }] of descriptions) {
    if (!id.startsWith('io.k8s.apimachinery.')) continue;
    const { name } = splitSchemaId(id);
    const [declaration] =
      new RegExp(
        String.raw`(?:/\*\*(?:(?!\*/)[^])*\*/\n)?^export (?:interface ${name}\b[^]*?^\}|type ${name} = .*;)$`,
        'm',
      ).exec(source) ?? [];
    if (declaration === undefined) {
      wrong.push(`${name}: not found`);
      continue;
    }
    const comments = new Map(
      [...declaration.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s+(?:export \w+ )?([\w$]+)/g)].map(
        ([, comment = '', subject = '']) => [
          subject,
          comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(),
        ],
      ),
    );
    const own = comments.get(name) ?? '';
    if (description !== undefined && !own.startsWith(description)) wrong.push(name);
    for (const [field, text] of Object.entries(fields)) {
      const inherited =
        /\bextends TypeMeta\b/.test(declaration) && /^(?:apiVersion|kind)$/.test(field);
      if (!inherited && comments.get(field) !== text) wrong.push(`${name}.${field}`);
    }
  }
  assert.deepEqual(wrong, []);
});

const small: ApiModel = {
  kubernetes: '0.0.0',
  groupVersions: [],
  schemas: {
    'a.v1.Thing': {
      type: 'object',
      properties: { kind: { type: 'string' }, size: { type: 'integer' } },
      'x-kubernetes-group-version-kind': [{ group: 'a', version: 'v1', kind: 'Thing' }],
    },
    'a.v1.ThingList': {
      type: 'object',
      properties: { kind: { type: 'string' }, items: { type: 'array' } },
      'x-kubernetes-group-version-kind': [{ group: 'a', version: 'v1', kind: 'ThingList' }],
    },
    'a.v1.Part': { type: 'object', properties: { size: { type: 'integer' }, color: {} } },
    'a.v1.Other': { type: 'object', properties: { size: { type: 'integer' } } },
  },
};
const common: CommonDescriptions = {
  kind: { fields: { kind: 'Kind.' } },
  list: { description: 'A list of {kind}.', fields: { items: 'Every {kind}.' } },
};
const join = (...types: DescriptionFile['types'][]): Descriptions =>
  joinDescriptions(
    small,
    common,
    types.map((each) => ({ package: 'a.v1', types: each })),
  );

test('kinds and lists share descriptions, and a type takes over those of another', () => {
  const joined = join(
    { Thing: { description: 'A thing.', fields: { size: 'Its size.' } } },
    { Part: { description: 'A part.', like: 'Thing', fields: { color: 'Its color.' } } },
  );
  assert.deepEqual(Object.fromEntries(joined), {
    'a.v1.Thing': { description: 'A thing.', fields: { kind: 'Kind.', size: 'Its size.' } },
    'a.v1.ThingList': {
      description: 'A list of Thing.',
      fields: { kind: 'Kind.', items: 'Every Thing.' },
    },
    'a.v1.Part': { description: 'A part.', fields: { size: 'Its size.', color: 'Its color.' } },
  });
  const described = describeModel(small, joined).schemas;
  assert.deepEqual(described['a.v1.Part'], {
    type: 'object',
    description: 'A part.',
    properties: {
      size: { type: 'integer', description: 'Its size.' },
      color: { description: 'Its color.' },
    },
  });
  assert.equal(described['a.v1.Other'], small.schemas['a.v1.Other']);
});

test('a description of something that the model does not have stops the generator', () => {
  const thing = { description: 'A thing.' };
  assert.throws(() => join({ Thingy: thing }), /a\.v1\.Thingy is described, but the model has no/);
  assert.throws(
    () => join({ Thing: { ...thing, fields: { weight: 'Its weight.' } } }),
    /a\.v1\.Thing has no field 'weight'/,
  );
  assert.throws(() => join({ Thing: thing }, { Thing: thing }), /a\.v1\.Thing is described twice/);
  assert.throws(
    () => join({ Part: { description: 'A part.', like: 'Thing' } }),
    /a\.v1\.Part is like a\.v1\.Thing, which is not described/,
  );
});
