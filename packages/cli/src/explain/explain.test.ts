import assert from 'node:assert/strict';
import { test } from 'node:test';

import { testCli } from '../test-cli.ts';
import { compareWithKubectl } from '../test-kubectl.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A type with everything that a schema of a custom resource can have. */
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wgt'] },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          description: `A widget of ${name}.`,
          externalDocs: { description: 'More about widgets.', url: 'https://example.com/widgets' },
          required: ['spec'],
          properties: {
            spec: {
              type: 'object',
              required: ['size'],
              properties: {
                size: { type: 'integer', enum: [1, 2, 3, 5, 8], description: 'How big.' },
                color: { type: 'string', enum: ['red', ''] },
                parts: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      name: { type: 'string', externalDocs: { url: 'https://example.com/names' } },
                      options: { type: 'object', additionalProperties: { type: 'boolean' } },
                    },
                  },
                },
                port: { 'x-kubernetes-int-or-string': true },
                anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                text: {
                  type: 'string',
                  description: `${'A long word of a description. '.repeat(9)}\n\n  ${'x'.repeat(90)} and   spaces ${' '.repeat(60)}end${' '.repeat(20)}`,
                },
              },
            },
          },
        },
      },
    })),
  },
};

test('explain prints what kubectl prints', async (t) => {
  const cli = await testCli(t);
  await cli.create(crds, widgets);
  const lines = `
    pods | pods.spec.containers | po.spec.dnsPolicy | Pod.metadata | pods.spec.volumes.
    deploy.spec.strategy | deployments.apps.spec.replicas | cm.data | secrets.data | bindings
    svc.spec.ports.targetPort | ev | nodes.status.capacity | hpa.spec.metrics | roles.rules
    crd.spec.versions.schema.openAPIV3Schema | widgets | wgt.spec | widgets.example.com.spec.parts
    widgets.spec.parts.options | widgets.spec.size | widgets.spec.color | widgets.spec.port
    widgets.metadata.labels | jobs.spec --recursive | crd.spec.versions.schema --recursive
    widgets --recursive | pods.spec.affinity --recursive | svc.spec.type --recursive
    wgt --api-version example.com/v1beta1 | hpa.spec --api-version=autoscaling/v1 -o plaintext
    bogus | pods.bogus | pods.spec.bogus.name | deploy.apps | pods.spec.nodeName.x
    pods --api-version apps/v1 | pods --api-version example.com/v9 | widgets.constructor
  `;
  const commands = lines
    .trim()
    .split(/ \| |\n */)
    .map((line) => ['explain', ...line.split(' ')]);
  await compareWithKubectl(t, cli, 'explain', commands);
});

test('explain suggests the field that was meant', async (t) => {
  const cli = await testCli(t);
  const { code, out, err } = await cli.run('explain', 'pods.spec.container');
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.equal(
    err,
    'client-ts explain: field "container" does not exist in "spec". Did you mean containers?\n',
  );
});

test('explain finds a resource of two groups by its group', async (t) => {
  const cli = await testCli(t);
  const { out, err } = await cli.run('explain', 'events.events.k8s.io.regarding');
  assert.match(out, /^GROUP: +events\.k8s\.io\n.*\n.*\n\nFIELD: regarding/, err);
  const core = await cli.run('explain', 'events.involvedObject');
  assert.match(core.out, /^KIND: +Event\n.*\n\nFIELD: involvedObject/, core.err);
});

test('explain takes only fields', async (t) => {
  const cli = await testCli(t);
  for (const path of ['pods.spec.containers[0]', 'pods..spec', 'pods.*', '{.x}', '']) {
    const { code, err } = await cli.run('explain', path);
    assert.equal(code, 2, path);
    assert.match(err, /must be TYPE\.FIELD\.FIELD/);
  }
});
