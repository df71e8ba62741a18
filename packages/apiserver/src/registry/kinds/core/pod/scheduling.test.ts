import { describe, it } from 'node:test';

import { TestKind } from '../../../../testing/test-kind.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINER = { name: 'main', image: 'registry.example.com/app:1' };
const POD = { metadata: { name: 'p' }, spec: { containers: [CONTAINER] } };

const pods = (): TestKind => new TestKind(PODS, POD);
const inSpec = (spec: object): { spec: object } => ({ spec });

describe('the scheduling rules of a pod', () => {
  const term = (change: object): { spec: object } =>
    inSpec({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [change] },
      },
    });
  const node = (required: object): { spec: object } =>
    inSpec({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    });
  const expression = (change: object): { spec: object } =>
    node({ nodeSelectorTerms: [{ matchExpressions: [change] }] });
  const spread = (...constraints: object[]): { spec: object } =>
    inSpec({ topologySpreadConstraints: constraints });
  const zone = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };

  it('reject invalid node affinity', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [
        inSpec({ nodeSelector: { 'a b': 'c' } }),
        "spec.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        node({}),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
      [
        expression({ key: 'a b', operator: 'Exists' }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        expression({ key: 'a', operator: 'X' }),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
      ],
      [
        expression({ key: 'a', operator: 'In' }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
      [
        expression({ key: 'a', operator: 'Exists', values: ['b'] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
      [
        expression({ key: 'a', operator: 'Gt', values: ['1', '2'] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
      ],
      [
        expression({ key: 'a', operator: 'In', values: ['b c'] }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
      [
        node({
          nodeSelectorTerms: [{ matchFields: [{ key: 'x', operator: 'In', values: ['a'] }] }],
        }),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "x": not a valid field selector key',
      ],
      [
        node({
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'Exists' }] }],
        }),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
      ],
      [
        node({
          nodeSelectorTerms: [
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] },
          ],
        }),
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ],
      [
        inSpec({
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 0, preference: { matchExpressions: [{ key: '', operator: 'Exists' }] } },
              ],
            },
          },
        }),
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ]);
  });

  it('reject invalid pod affinity', async () => {
    using kind = pods();
    const full = { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } };
    await kind.refusesToCreate([
      [
        term({}),
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        term({ topologyKey: 'a b' }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        term({ ...full, labelSelector: { matchLabels: { 'a b': 'c' } } }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        term({
          ...full,
          labelSelector: {
            matchExpressions: [
              { key: 'a', operator: 'X' },
              { key: 'a', operator: 'In' },
              { key: 'a', operator: 'Exists', values: ['b'] },
            ],
          },
        }),
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
      [
        term({ ...full, namespaces: ['A'] }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [
        term({ ...full, namespaceSelector: { matchLabels: { 'a b': 'c' } } }),
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaceSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        term({ ...full, matchLabelKeys: ['x'], mismatchLabelKeys: ['x'] }),
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]: Invalid value: "x": exists in both matchLabelKeys and mismatchLabelKeys',
      ],
      [
        term({ topologyKey: 'zone', matchLabelKeys: ['x'] }),
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      ],
      [
        { metadata: { labels: { a: '1' } }, ...term({ ...full, matchLabelKeys: ['a'] }) },
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0][0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
      ],
      [
        inSpec({
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 101, podAffinityTerm: {} },
              ],
            },
          },
        }),
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Required value: can not be empty',
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": name part must be non-empty',
        "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ]);
  });

  it('reject invalid topology spread constraints', async () => {
    using kind = pods();
    await kind.refusesToCreate([
      [
        spread({}),
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
      [
        spread({ ...zone, maxSkew: 0, whenUnsatisfiable: 'X' }),
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
      [
        spread(zone, zone),
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
      ],
      [
        spread({ ...zone, minDomains: 0 }),
        'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
      ],
      [
        spread({ ...zone, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }),
        'spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
      ],
      [
        spread({ ...zone, nodeAffinityPolicy: 'X', nodeTaintsPolicy: 'X' }),
        'spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "X": supported values: "Honor", "Ignore"',
        'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "X": supported values: "Honor", "Ignore"',
      ],
      [
        spread({ ...zone, labelSelector: { matchLabels: { 'a b': 'c' } } }),
        "spec.topologySpreadConstraints[0].labelSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        spread({ ...zone, matchLabelKeys: ['x'] }),
        'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      ],
      [
        {
          metadata: { labels: { x: '1' } },
          ...spread({ ...zone, labelSelector: { matchLabels: { x: 'y' } }, matchLabelKeys: ['x'] }),
        },
        'spec.topologySpreadConstraints[0][0]: Invalid value: "x": exists in both matchLabelKeys and labelSelector',
      ],
    ]);
  });

  it('reject invalid tolerations, gates and claims', async () => {
    using kind = pods();
    const toleration = (change: object): { spec: object } => inSpec({ tolerations: [change] });
    await kind.refusesToCreate([
      [
        toleration({ key: 'a b', operator: 'Exists' }),
        "spec.tolerations[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        toleration({ key: 'a', operator: 'X' }),
        'spec.tolerations[0].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
      ],
      [
        toleration({ key: 'a', operator: 'Equal', value: 'b c' }),
        "spec.tolerations[0].operator: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
      [
        toleration({ key: 'a', operator: 'Exists', value: 'b' }),
        'spec.tolerations[0].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
      ],
      [
        toleration({ key: 'a', operator: 'Exists', effect: 'X' }),
        'spec.tolerations[0].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
      [
        toleration({ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }),
        'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      ],
      [
        inSpec({ schedulingGates: [{ name: 'a b' }, { name: 'x' }, { name: 'x' }] }),
        "spec.schedulingGates[0]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.schedulingGates[2]: Duplicate value: "x"',
      ],
      [
        inSpec({ readinessGates: [{ conditionType: 'a b' }] }),
        "spec.readinessGates[0].conditionType: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        inSpec({ nodeName: 'A' }),
        "spec.nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ runtimeClassName: 'A' }),
        '403: pods "p" is forbidden: pod rejected: RuntimeClass "A" not found',
      ],
      [
        inSpec({ serviceAccountName: 'A', imagePullSecrets: [{}] }),
        "spec.serviceAccountName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ subdomain: 'A', setHostnameAsFQDN: true }),
        "spec.subdomain: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [
        inSpec({ hostAliases: [{ ip: 'x', hostnames: ['A b'] }] }),
        'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        "spec.hostAliases[0].hostnames[0]: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ hostnameOverride: 'a', setHostnameAsFQDN: true, hostNetwork: true }),
        'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
        'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      ],
      [
        inSpec({ hostnameOverride: 'A' }),
        "spec.hostnameOverride: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ os: { name: 'plan9' } }),
        'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"',
      ],
      [
        inSpec({ overhead: { cpu: '-1' } }),
        '403: pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
      ],
      [
        inSpec({ dnsPolicy: 'None', dnsConfig: {} }),
        'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
      ],
      [
        inSpec({
          dnsConfig: {
            nameservers: ['x', '1.1.1.1', '1.1.1.1', '1.1.1.1'],
            searches: ['A b'],
            options: [{}],
          },
        }),
        'spec.dnsConfig.nameservers: Invalid value: ["x","1.1.1.1","1.1.1.1","1.1.1.1"]: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        "spec.dnsConfig.searches[0]: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
        'spec.dnsConfig.options[0]: Required value: must not be empty',
      ],
      [
        inSpec({ dnsConfig: { searches: Array.from({ length: 33 }, () => 'a') } }),
        'spec.dnsConfig.searches: Invalid value: ["a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a"]: must not have more than 32 search paths',
      ],
      [
        inSpec({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
        'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
      [
        inSpec({ resources: { requests: { 'ephemeral-storage': '1' } } }),
        'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      ],
      [
        inSpec({
          resources: { requests: { cpu: '1' } },
          containers: [{ ...CONTAINER, resources: { requests: { cpu: '2' } } }],
        }),
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      ],
      [
        inSpec({
          resourceClaims: [
            { name: 'A' },
            { name: 'x', resourceClaimName: 'a', resourceClaimTemplateName: 'b' },
          ],
        }),
        "spec.resourceClaims[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.resourceClaims[0]: Invalid value: {"Name":"A","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        'spec.resourceClaims[1]: Invalid value: {"Name":"x","ResourceClaimName":"a","ResourceClaimTemplateName":"b"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      ],
    ]);
  });
});
