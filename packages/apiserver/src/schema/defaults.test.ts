import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applySchemaDefaults } from './defaults.ts';
import { loadModel } from './model.ts';
import type { Schema } from './schema.ts';

function schemaOf(group: string, kind: string): Schema {
  const schema = loadModel().schemaFor({ group, version: 'v1', kind });
  assert.ok(schema);
  return schema;
}

test('defaults of the model are applied at any depth', () => {
  const pod = {
    spec: {
      containers: [
        { name: 'a', ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }] },
        { name: 'b' },
      ],
      volumes: [{ name: 'v', azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Managed' } }],
    },
  };
  applySchemaDefaults(schemaOf('', 'Pod'), pod);
  const defaulted = {
    spec: {
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 80, protocol: 'TCP' },
            { containerPort: 53, protocol: 'UDP' },
          ],
        },
        { name: 'b' },
      ],
      volumes: [
        {
          name: 'v',
          azureDisk: {
            diskName: 'd',
            diskURI: 'u',
            kind: 'Managed',
            cachingMode: 'ReadWrite',
            fsType: 'ext4',
            readOnly: false,
          },
        },
      ],
    },
  };
  assert.deepEqual(pod, defaulted);
  applySchemaDefaults(schemaOf('', 'Pod'), pod);
  assert.deepEqual(pod, defaulted, 'a second time changes nothing');
});

test('an empty value takes the default where the type cannot distinguish it from an absent one', () => {
  const service = { spec: { ports: [{ port: 80, protocol: '' }] } };
  applySchemaDefaults(schemaOf('', 'Service'), service);
  assert.equal(service.spec.ports[0]?.protocol, 'TCP');
});

test('zero values that OpenAPI lists as defaults are not applied', () => {
  const deployment = { metadata: {}, spec: { template: {} } };
  applySchemaDefaults(schemaOf('apps', 'Deployment'), deployment);
  assert.deepEqual(deployment, { metadata: {}, spec: { template: {} } });
});

test('values of other shapes than the schema are left alone', () => {
  const pod = { spec: { containers: 'none' } };
  applySchemaDefaults(schemaOf('', 'Pod'), pod);
  assert.deepEqual(pod, { spec: { containers: 'none' } });
});
