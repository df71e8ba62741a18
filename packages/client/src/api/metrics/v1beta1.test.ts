import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceClient } from '../../rest/resource-client.ts';
import { RESTClient } from '../../rest/rest-client.ts';
import { ScriptedTransport } from '../../rest/test-transport.ts';
import { nodeMetrics, podMetrics } from './v1beta1.ts';

test('the descriptors of metrics lead to the paths of metrics-server', async () => {
  const transport = new ScriptedTransport({ body: { items: [] } });
  const rest = RESTClient.over(transport, { codec: 'protobuf' });
  await resourceClient(rest, nodeMetrics).list();
  assert.equal(transport.last.path, '/apis/metrics.k8s.io/v1beta1/nodes');
  assert.equal(transport.last.headers?.['accept'], 'application/json, */*');
  await resourceClient(rest, podMetrics, 'default').get('web');
  assert.equal(transport.last.path, '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web');
  await resourceClient(rest, podMetrics).list();
  assert.equal(transport.last.path, '/apis/metrics.k8s.io/v1beta1/pods');
});
