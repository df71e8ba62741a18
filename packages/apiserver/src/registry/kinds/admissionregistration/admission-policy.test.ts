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
const inSpec = (spec: object): { spec: object } => ({ spec });

describe('admission policies', () => {
  const policies = (): TestKind =>
    new TestKind(`${ADMISSION}/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [RULE] },
        validations: [{ expression: 'true' }],
      },
    });

  it('rejects invalid match constraints, validations and parameters', async () => {
    using kind = policies();
    await kind.refusesToCreate([
      [inSpec({ matchConstraints: undefined }), 'spec.matchConstraints: Required value'],
      [
        inSpec({ matchConstraints: { resourceRules: [] } }),
        'spec.matchConstraints.resourceRules: Required value',
      ],
      [
        inSpec({
          matchConstraints: { resourceRules: [{ ...RULE, resourceNames: ['a', 'a', 'b/c'] }] },
        }),
        'spec.matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "a"',
        'spec.matchConstraints.resourceRules[0].resourceNames[2]: Invalid value: "b/c": may not contain \'/\'',
      ],
      [
        inSpec({ matchConstraints: { matchPolicy: 'X' } }),
        'spec.matchConstraints.matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"',
      ],
      [
        inSpec({ failurePolicy: 'X' }),
        'spec.failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"',
      ],
      [
        inSpec({ validations: [] }),
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
      [
        inSpec({
          validations: [{ expression: ' ', message: 'a\nb', messageExpression: ' ', reason: 'X' }],
        }),
        'spec.validations[0].expression: Required value: expression is not specified',
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "X": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
      [
        inSpec({ validations: [{ expression: 'variables.a' }] }),
        `spec.validations[0].expression: Invalid value: "variables.a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.a\n | ^`,
      ],
      [
        inSpec({ validations: [{ expression: 'true', message: ' ' }] }),
        'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
      ],
      [
        inSpec({
          variables: [
            { name: '1', expression: '' },
            { name: '', expression: '1' },
          ],
        }),
        'spec.variables[0].name: Invalid value: "1": must be a valid CEL identifier',
        'spec.variables[0].expression: Required value: expression is not specified',
        'spec.variables[1].name: Required value: name is not specified',
      ],
      [
        inSpec({ paramKind: { apiVersion: '', kind: '' } }),
        'spec.paramKind.apiVersion: Required value',
        'spec.paramKind.kind: Required value',
      ],
      [
        inSpec({ paramKind: { apiVersion: 'A/b', kind: '1' } }),
        "spec.paramKind.apiVersion: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.paramKind.kind: Invalid value: \"1\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
      [
        inSpec({
          auditAnnotations: [
            { key: 'a b', valueExpression: '' },
            { key: 'x', valueExpression: '"x"' },
            { key: 'x', valueExpression: '"x"' },
          ],
        }),
        "spec.auditAnnotations[0].key: Invalid value: \"p/a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[2].key: Duplicate value: "x"',
      ],
    ]);
    const policy = await kind.given();
    const { metadata, status } = await kind.updated(
      policy,
      { metadata: { labels: { a: 'b' } }, status: { observedGeneration: 1 } },
      '/status',
    );
    assert.equal(metadata.labels, undefined);
    assert.deepEqual(status, { observedGeneration: 1 });
  });

  it('rejects invalid bindings', async () => {
    using kind = new TestKind(`${ADMISSION}/validatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'] },
    });
    await kind.refusesToCreate([
      [inSpec({ policyName: '' }), 'spec.policyName: Required value'],
      [
        inSpec({ policyName: 'A' }),
        "spec.policyName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ validationActions: [] }),
        'spec.validationActions: Required value: at least one validation action is required',
      ],
      [
        inSpec({ validationActions: ['Deny', 'Warn', 'X', 'Deny'] }),
        'spec.validationActions[2]: Unsupported value: "X": supported values: "Audit", "Deny", "Warn"',
        'spec.validationActions[3]: Duplicate value: "Deny"',
        'spec.validationActions: Invalid value: ["Deny","Warn","X","Deny"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
      [
        inSpec({ paramRef: {} }),
        'spec.paramRef: Required value: one of name or selector must be specified',
        'spec.paramRef.parameterNotFoundAction: Required value',
      ],
      [
        inSpec({ paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'X' } }),
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "X": supported values: "Deny", "Allow"',
      ],
      [
        inSpec({ matchResources: { resourceRules: [{ ...RULE, operations: [] }] } }),
        'spec.matchResources.resourceRules[0].operations: Required value',
      ],
    ]);
    const { spec } = await kind.created(inSpec({ matchResources: {} }));
    assert.deepEqual((spec as { matchResources: object }).matchResources, {
      namespaceSelector: {},
      objectSelector: {},
      matchPolicy: 'Equivalent',
    });
  });

  it('rejects mutations of deletes', async () => {
    using kind = new TestKind(`${ADMISSION}/mutatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [RULE] },
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{}]' } }],
        reinvocationPolicy: 'Never',
      },
    });
    await kind.refusesToCreate([
      [
        inSpec({ mutations: [] }),
        'spec.mutations: Required value: mutations must contain at least one item',
      ],
      [inSpec({ mutations: [{}] }), 'spec.mutations[0].patchType: Required value'],
      [
        inSpec({ mutations: [{ patchType: 'X' }] }),
        'spec.mutations[0].patchType: Unsupported value: "X": supported values: "ApplyConfiguration", "JSONPatch"',
      ],
      [
        inSpec({
          mutations: [{ patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } }],
        }),
        'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
        'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
      ],
      [
        inSpec({
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: ' ' } }],
        }),
        'spec.mutations[0].applyConfiguration.expression: Required value',
      ],
      [inSpec({ reinvocationPolicy: undefined }), 'spec.reinvocationPolicy: Required value'],
      [
        inSpec({ matchConstraints: { resourceRules: [{ ...RULE, operations: ['DELETE'] }] } }),
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ]);
    using bindings = new TestKind(`${ADMISSION}/mutatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p' },
    });
    await bindings.refusesToCreate([
      [inSpec({ policyName: '' }), 'spec.policyName: Required value'],
      [
        inSpec({ matchResources: { resourceRules: [{ ...RULE, operations: ['DELETE'] }] } }),
        'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ]);
  });
});
