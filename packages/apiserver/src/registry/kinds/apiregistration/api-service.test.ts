import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('an APIService', () => {
  it('rejects a name that is not its version and group', async () => {
    using kind = new TestKind('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 's', namespace: 'n' },
      },
    });
    await kind.refusesToCreate([
      [
        { metadata: { name: 'x' } },
        'metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.example.com"',
      ],
      [
        inSpec({ groupPriorityMinimum: 20_001, versionPriority: 0 }),
        'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      ],
      [
        inSpec({ service: { name: '', namespace: '', port: 70_000 } }),
        'spec.service.namespace: Required value',
        'spec.service.name: Required value',
        'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
      ],
      [
        inSpec({ service: undefined }),
        'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
      ],
      [
        inSpec({ service: undefined, insecureSkipTLSVerify: false, caBundle: 'AAAA' }),
        'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
      ],
      [
        inSpec({ caBundle: 'AAAA' }),
        'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
      ],
      [
        { metadata: { name: 'v2.' }, spec: { group: '', version: 'v2' } },
        'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
      ],
    ]);
    await kind.created(inSpec({ groupPriorityMinimum: 20_000, versionPriority: 1000 }));
    await kind.created(inSpec({ groupPriorityMinimum: 1, versionPriority: 1 }));
    const { status } = await kind.created(
      inSpec({ service: undefined, insecureSkipTLSVerify: undefined }),
    );
    assert.deepEqual(
      (status as { conditions: { reason: string }[] }).conditions[0]?.reason,
      'Local',
    );
  });
});
