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
  loadDescribedModel,
  loadDescriptions,
} from './descriptions.ts';
import { type ApiModel, splitSchemaId } from './model.ts';
import type { Schema } from './schema.ts';
import { referenceOf } from './schema-types.ts';

const model = loadDescribedModel();
const descriptions = loadDescriptions(model);

function* references(schema: Schema): Generator<string> {
  const id = referenceOf(schema);
  if (id !== undefined) yield id;
  for (const property of Object.values(schema.properties ?? {})) yield* references(property);
  if (schema.items !== undefined) yield* references(schema.items);
  if (typeof schema.additionalProperties === 'object') {
    yield* references(schema.additionalProperties);
  }
}

function* texts(all: Descriptions): Generator<[place: string, text: string]> {
  for (const [id, { description, fields }] of all) {
    if (description !== undefined) yield [id, description];
    for (const [name, text] of Object.entries(fields)) yield [`${id}.${name}`, text];
  }
}

test('every type and every field of the model has a description', () => {
  const missing: string[] = [];
  for (const [id, { properties = {} }] of Object.entries(model.schemas)) {
    const described = descriptions.get(id);
    if (described?.description === undefined) missing.push(id);
    for (const name of Object.keys(properties)) {
      if (getKey(described?.fields ?? {}, name) === undefined) missing.push(`${id}.${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('descriptions are a few short sentences', () => {
  const wrong: string[] = [];
  for (const [place, text] of texts(descriptions)) {
    const words = text.replaceAll(/`[^`]*`/g, 'X');
    const sentences = words.split(/[.;](?:\s|$)/).filter((part) => part !== '');
    if (!/^[A-Z]/.test(words)) wrong.push(`${place}: begins without a capital`);
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
const join = (...types: NonNullable<DescriptionFile['types']>[]): Descriptions =>
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

test('a version takes over the descriptions of another one', () => {
  const { schemas } = small;
  const model = {
    ...small,
    schemas: {
      'a.v1.Part': schemas['a.v1.Part'] ?? {},
      'a.v1beta1.Part': schemas['a.v1.Part'] ?? {},
      'a.v1beta1.Other': schemas['a.v1.Other'] ?? {},
    },
  };
  const part = { description: 'A part.', fields: { size: 'Its size.', color: 'Its color.' } };
  const other = { description: 'Another one.', fields: { size: 'Its size.' } };
  const joined = joinDescriptions(model, common, [
    { package: 'a.v1', types: { Part: part } },
    { package: 'a.v1beta1', like: 'a.v1', types: { Other: other } },
  ]);
  assert.deepEqual(Object.fromEntries(joined), {
    'a.v1.Part': part,
    'a.v1beta1.Part': part,
    'a.v1beta1.Other': other,
  });
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
    /a\.v1\.Part is like Thing, which is not described/,
  );
});
