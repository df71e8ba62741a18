import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { type ModelParts, renderModelFiles } from '../model.ts';
import { extractFromSource } from './source-tree.ts';

const toysGo = `package v1

import (
	shared "k8s.io/api/shared/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A toy.
type Toy struct {
	metav1.TypeMeta \`json:",inline"\`
	// Standard metadata.
	// +optional
	metav1.ObjectMeta \`json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"\`

	Spec ToySpec \`json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"\`
}

type ToySpec struct {
	Look \`json:",inline" protobuf:"bytes,5,opt,name=look"\`
	Size *int32 \`json:"size,omitempty" protobuf:"varint,1,opt,name=size"\`
	Made metav1.Time \`json:"made,omitempty,omitzero" protobuf:"bytes,2,opt,name=made"\`
	Kind shared.Material \`json:"kind" protobuf:"bytes,3,opt,name=kind"\`
	Parts map[shared.Material]Part \`json:"parts,omitempty" protobuf:"bytes,4,rep,name=parts"\`
	hidden string \`json:"-"\`
}

type Look struct {
	Colors []Color \`json:"colors,omitempty" protobuf:"bytes,1,rep,name=colors"\`
}

type Part = shared.Part

// +enum
type Color string

const (
	Red   Color = "red"
	Green       = Color(shared.Greenish) // as others call it
)
`;

const sharedGo = `package v1

type Material string

// Materials are not a closed set.
const Wood Material = "wood"

const Greenish = "green"

type Part struct {
	Weight int32 \`json:"weight" protobuf:"varint,1,opt,name=weight"\`
}
`;

const metaGo = `package v1

type TypeMeta struct {
	Kind string \`json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"\`
	APIVersion string \`json:"apiVersion,omitempty" protobuf:"bytes,2,opt,name=apiVersion"\`
}

type ObjectMeta struct {
	Name string \`json:"name,omitempty" protobuf:"bytes,1,opt,name=name"\`
}

type Time struct {
	time.Time \`protobuf:"-"\`
}
`;

const toysProto = `syntax = "proto2";

package k8s.io.api.toys.v1;

import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";

// A toy.
message Toy {
  // Standard metadata.
  optional .k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;

  optional ToySpec spec = 2;
}

message ToySpec {
  optional int32 size = 1;

  map<string, Part> parts = 4;

  repeated string colors = 7;
}
`;

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const toys = 'io.k8s.api.toys.v1';
const text = { type: 'string', description: 'Text of others.' };

/** A source tree with one group of one kind, laid out as that of Kubernetes. */
const tree: Readonly<Record<string, object | string>> = {
  'api/discovery/api__v1.json': { resources: [] },
  'api/openapi-spec/v3/api__v1_openapi.json': {},
  'api/discovery/apis.json': {
    groups: [
      { name: 'toys.k8s.io', versions: [{ version: 'v1' }] },
      { name: 'certificates.k8s.io', versions: [{ version: 'v1alpha1' }] },
    ],
  },
  'api/discovery/apis__toys.k8s.io__v1.json': {
    resources: [
      {
        name: 'toys/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['update', 'get'],
      },
      {
        name: 'toys',
        singularName: 'toy',
        namespaced: true,
        kind: 'Toy',
        verbs: ['list', 'get'],
        shortNames: ['to'],
        storageVersionHash: 'x',
      },
    ],
  },
  'api/openapi-spec/v3/apis__toys.k8s.io__v1_openapi.json': {
    components: {
      schemas: {
        [`${toys}.Toy`]: {
          description: 'A toy.',
          type: 'object',
          properties: {
            spec: { description: 'Its spec.', default: {}, allOf: [ref(`${toys}.ToySpec`)] },
            metadata: { default: {}, allOf: [ref(`${meta}.ObjectMeta`)] },
            kind: text,
            apiVersion: text,
          },
          'x-kubernetes-group-version-kind': [{ group: 'toys.k8s.io', kind: 'Toy', version: 'v1' }],
        },
        [`${toys}.ToySpec`]: {
          required: ['kind'],
          type: 'object',
          properties: {
            size: { format: 'int32', type: 'integer' },
            made: ref(`${meta}.Time`),
            kind: { default: '', type: 'string' },
            parts: { additionalProperties: ref('io.k8s.api.shared.v1.Part'), type: 'object' },
            colors: { items: { default: '', type: 'string' }, type: 'array' },
          },
        },
        [`${meta}.ObjectMeta`]: { type: 'object', properties: { name: text } },
        [`${meta}.Time`]: { format: 'date-time', type: 'string' },
      },
    },
  },
  'staging/src/k8s.io/api/toys/v1/types.go': toysGo,
  'staging/src/k8s.io/api/toys/v1/types_test.go': 'package v1\n\ntype Toy struct {\n}\n',
  'staging/src/k8s.io/api/toys/v1/generated.proto': toysProto,
  'staging/src/k8s.io/api/shared/v1/types.go': sharedGo,
  'staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go': metaGo,
  'staging/src/k8s.io/apiextensions-apiserver/README.md': '',
  'staging/src/k8s.io/kube-aggregator/README.md': '',
};

async function extract(): Promise<ModelParts> {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-source-'));
  try {
    for (const [path, content] of Object.entries(tree)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      const written = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(join(directory, path), written);
    }
    return await extractFromSource(directory, '1.99.0');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('resources come from discovery, sorted, with their subresources', async () => {
  const { api } = await extract();
  assert.equal(api.kubernetes, '1.99.0');
  assert.deepEqual(api.groupVersions, [
    { group: '', version: 'v1', resources: [] },
    {
      group: 'toys.k8s.io',
      version: 'v1',
      resources: [
        {
          resource: 'toys',
          kind: 'Toy',
          namespaced: true,
          singular: 'toy',
          verbs: ['get', 'list'],
          shortNames: ['to'],
          subresources: [
            {
              subresource: 'scale',
              kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get', 'update'],
            },
          ],
        },
      ],
    },
  ]);
});

test('schemas lose descriptions and gain enums', async () => {
  const { api } = await extract();
  assert.equal(
    JSON.stringify(api.schemas[`${toys}.Toy`]),
    JSON.stringify({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { default: {}, $ref: `${meta}.ObjectMeta` },
        spec: { default: {}, $ref: `${toys}.ToySpec` },
      },
      'x-kubernetes-group-version-kind': [{ group: 'toys.k8s.io', kind: 'Toy', version: 'v1' }],
    }),
  );
  assert.equal(
    JSON.stringify(api.schemas[`${toys}.ToySpec`]),
    JSON.stringify({
      type: 'object',
      required: ['kind'],
      properties: {
        colors: {
          type: 'array',
          items: { type: 'string', default: '', enum: ['green', 'red'] },
        },
        kind: { type: 'string', default: '' },
        made: { $ref: `${meta}.Time` },
        parts: { type: 'object', additionalProperties: { $ref: 'io.k8s.api.shared.v1.Part' } },
        size: { type: 'integer', format: 'int32' },
      },
    }),
  );
});

test('shapes come from the Go types', async () => {
  const { shapes } = await extract();
  assert.deepEqual(shapes, {
    [`${toys}.Toy`]: {
      order: ['kind', 'apiVersion', 'metadata', 'spec'],
      pointer: [],
      always: ['metadata', 'spec'],
    },
    [`${toys}.ToySpec`]: {
      order: ['colors', 'size', 'made', 'kind', 'parts'],
      pointer: ['size'],
      always: ['kind'],
      types: { colors: '[]v1.Color', kind: 'v1.Material', parts: 'map[v1.Material]v1.Part' },
      inline: { colors: 'Look' },
    },
    [`${meta}.ObjectMeta`]: { order: ['name'], pointer: [], always: [] },
    [`${meta}.Time`]: { order: [], pointer: [], always: [] },
  });
});

test('field numbers come from the protobuf files', async () => {
  const { messages } = await extract();
  assert.deepEqual(messages, {
    'k8s.io.api.toys.v1.Toy': {
      metadata: { n: 1, t: 'k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      spec: { n: 2, t: 'k8s.io.api.toys.v1.ToySpec' },
    },
    'k8s.io.api.toys.v1.ToySpec': {
      size: { n: 1, t: 'int32' },
      parts: { n: 4, map: ['string', 'k8s.io.api.toys.v1.Part'] },
      colors: { n: 7, t: 'string', repeated: true },
    },
  });
});

test('the files of the model have a line for each resource, type and message', async () => {
  const model = await extract();
  const files = renderModelFiles(model);
  assert.deepEqual([...files.keys()], ['apimodel.json', 'goshape.json', 'protobuf.json']);
  const parsed = [...files.values()].map((content): unknown => JSON.parse(content));
  assert.deepEqual(parsed, [model.api, model.shapes, model.messages]);
  const lines = (files.get('apimodel.json') ?? '').split('\n');
  assert.equal(lines.filter((line) => line.startsWith(`"${toys}.`)).length, 2);
  assert.equal(lines.filter((line) => line.startsWith('{"resource":')).length, 1);
  assert.deepEqual([...renderModelFiles({ api: model.api }).keys()], ['apimodel.json']);
});
