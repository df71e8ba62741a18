import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const RULE = {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['deployments'],
};

describe('webhooks', () => {
  const WEBHOOK = {
    name: 'a.example.com',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: { url: 'https://example.com/x' },
    rules: [RULE],
  };
  const hook = (change: object): { webhooks: object[] } => ({
    webhooks: [{ ...WEBHOOK, ...change }],
  });
  const rule = (change: object): { webhooks: object[] } =>
    hook({ rules: [{ ...RULE, ...change }] });
  const configurations = (): TestKind =>
    new TestKind(`${ADMISSION}/mutatingwebhookconfigurations`, {
      metadata: { name: 'c' },
      webhooks: [WEBHOOK],
    });

  it('rejects invalid clients, rules and settings', async () => {
    using kind = configurations();
    await kind.refusesToCreate([
      [
        hook({ name: 'a' }),
        'webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots',
      ],
      [hook({ name: '' }), 'webhooks[0].name: Required value'],
      [
        hook({ name: 'A.b.c' }),
        "webhooks[0].name: Invalid value: \"A.b.c\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [{ webhooks: [WEBHOOK, WEBHOOK] }, 'webhooks[1].name: Duplicate value: "a.example.com"'],
      [
        hook({ sideEffects: undefined }),
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
      ],
      [
        hook({ sideEffects: 'Some' }),
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      ],
      [
        hook({ admissionReviewVersions: [] }),
        'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
      ],
      [
        hook({ admissionReviewVersions: ['v2', 'v2', 'A'] }),
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
        "webhooks[0].admissionReviewVersions[2]: Invalid value: \"A\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2","A"]: must include at least one of v1, v1beta1',
      ],
      [
        hook({ clientConfig: {} }),
        'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
      ],
      [
        hook({ clientConfig: { url: 'http://example.com/?a=b#c' } }),
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
        'webhooks[0].clientConfig.url: Invalid value: "c": fragments are not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "a=b": query parameters are not permitted in the URL',
      ],
      [
        hook({ clientConfig: { service: { name: '', namespace: 'n', path: 'x//y', port: 0 } } }),
        'webhooks[0].clientConfig.service.namespace: Required value',
        'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
        'webhooks[0].clientConfig.service.path: Invalid value: "x//y": must start with a \'/\'',
        'webhooks[0].clientConfig.service.path: Invalid value: "x//y": segment[0] may not be empty',
        'webhooks[0].clientConfig.service.path: Invalid value: "x//y": segment[1] may not be empty',
      ],
      [
        hook({ failurePolicy: 'X', matchPolicy: 'X', reinvocationPolicy: 'X' }),
        'webhooks[0].failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"',
        'webhooks[0].matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"',
        'webhooks[0].reinvocationPolicy: Unsupported value: "X": supported values: "IfNeeded", "Never"',
      ],
      [
        hook({ timeoutSeconds: 31 }),
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      ],
      [
        hook({
          matchConditions: [
            { name: 'a b', expression: ' ' },
            { name: 'x', expression: 'true' },
            { name: 'x', expression: 'true' },
          ],
        }),
        'webhooks[0].matchConditions[0].expression: Required value',
        "webhooks[0].matchConditions[0].name: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'webhooks[0].matchConditions[2].name: Duplicate value: "x"',
      ],
      [rule({ operations: [] }), 'webhooks[0].rules[0].operations: Required value'],
      [
        rule({ operations: ['*', 'CREATE', 'X'] }),
        'webhooks[0].rules[0].operations: Invalid value: ["*","CREATE","X"]: if \'*\' is present, must not specify other operations',
        'webhooks[0].rules[0].operations[2]: Unsupported value: "X": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
      [
        rule({ apiGroups: ['*', 'a'], apiVersions: ['*', ''] }),
        'webhooks[0].rules[0].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups',
        'webhooks[0].rules[0].apiVersions: Invalid value: ["*",""]: if \'*\' is present, must not specify other API versions',
        'webhooks[0].rules[0].apiVersions[1]: Required value',
      ],
      [rule({ resources: [] }), 'webhooks[0].rules[0].resources: Required value'],
      [
        rule({ resources: ['', '*/*', 'pods/*', 'pods/log', '*/scale', 'a/scale'] }),
        'webhooks[0].rules[0].resources[0]: Required value',
        'webhooks[0].rules[0].resources[2]: Invalid value: "pods/*": if \'*/*\' is present, must not specify pods/*',
        'webhooks[0].rules[0].resources[3]: Invalid value: "pods/log": if \'pods/*\' is present, must not specify pods/log',
        'webhooks[0].rules[0].resources[4]: Invalid value: "*/scale": if \'*/*\' is present, must not specify */scale',
        'webhooks[0].rules[0].resources[5]: Invalid value: "a/scale": if \'*/scale\' is present, must not specify a/scale',
        'webhooks[0].rules[0].resources: Invalid value: ["","*/*","pods/*","pods/log","*/scale","a/scale"]: if \'*/*\' is present, must not specify other resources',
      ],
      [
        rule({ resources: ['*', 'pods'] }),
        'webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
      ],
      [
        rule({ scope: 'X' }),
        'webhooks[0].rules[0].scope: Unsupported value: "X": supported values: "*", "Cluster", "Namespaced"',
      ],
    ]);
  });

  it('rejects match conditions that do not compile', async () => {
    using kind = configurations();
    await kind.refusesToCreate([
      [
        hook({ matchConditions: [{ name: 'c', expression: 'foo' }] }),
        `webhooks[0].matchConditions[0].expression: Invalid value: "foo": compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^`,
      ],
      [
        hook({ matchConditions: [{ name: 'c', expression: '1' }] }),
        'webhooks[0].matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
      ],
    ]);
  });

  it('rejects more than 64 match conditions', async () => {
    using kind = configurations();
    const conditions = (length: number): object[] =>
      Array.from({ length }, (_, index) => ({ name: `c${index}`, expression: 'true' }));
    await kind.created(hook({ matchConditions: conditions(64) }));
    await kind.refusesToCreate([
      [
        hook({ matchConditions: conditions(65) }),
        'webhooks[0].matchConditions: Too many: 65: must have at most 64 items',
      ],
    ]);
  });

  it('counts updates, and accepts old violations of newer rules', async () => {
    using kind = configurations();
    const object = await kind.given();
    const { metadata } = await kind.updated(object, hook({ timeoutSeconds: 5 }));
    assert.equal(metadata.generation, 2);
    await kind.refusesToUpdate(object, [
      [
        hook({ sideEffects: 'Some' }),
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      ],
    ]);
    const { body } = await kind.server.put(`${ADMISSION}/mutatingwebhookconfigurations/c`, {
      metadata: { name: 'c' },
    });
    assert.equal(body.code, 422);
  });
});
