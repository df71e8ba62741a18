import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const BATCH = '/apis/batch/v1/namespaces/default';
const TEMPLATE = {
  spec: {
    restartPolicy: 'Never',
    containers: [{ name: 'main', image: 'registry.example.com/app:1' }],
  },
};
const JOB = { metadata: { name: 'j' }, spec: { template: TEMPLATE } };

const jobs = (): TestKind => new TestKind(`${BATCH}/jobs`, JOB);
const inSpec = (spec: object): { spec: object } => ({ spec });
const indexed = (spec: object): { spec: object } => ({
  spec: { completionMode: 'Indexed', completions: 3, ...spec },
});

describe('a new Job', () => {
  it('gets a selector with its uid', async () => {
    using kind = jobs();
    const { metadata, spec } = await kind.created({ metadata: { labels: { a: 'b' } } });
    const { selector, template } = spec as { selector: object; template: { metadata: object } };
    const labels = {
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': metadata.uid,
      'job-name': 'j',
    };
    assert.deepEqual(metadata.labels, { a: 'b' });
    assert.deepEqual(template.metadata, { labels });
    assert.deepEqual(selector, {
      matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid },
    });
  });

  it('gets the labels of its pod template if it has none', async () => {
    using kind = jobs();
    const { metadata } = await kind.created(
      inSpec({ template: { metadata: { labels: { a: 'b' } } } }),
    );
    assert.equal(metadata.labels?.['a'], 'b');
    assert.equal(metadata.labels?.['job-name'], 'j');
  });

  it('keeps a manual selector', async () => {
    using kind = jobs();
    const manual = {
      manualSelector: true,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } } },
    };
    const { spec } = await kind.created(inSpec(manual));
    assert.deepEqual((spec as { selector: unknown }).selector, { matchLabels: { a: 'b' } });
    await kind.refusesToCreate([
      [
        inSpec({ ...manual, selector: undefined }),
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
      ],
      [
        inSpec({ ...manual, template: { metadata: { labels: { a: 'c' } } } }),
        'spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`',
      ],
    ]);
    const { body } = await kind.tryCreate(
      inSpec({
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } } },
      }),
    );
    assert.match(body.message ?? '', /`selector` not auto-generated/);
  });

  it('gets its defaults', async () => {
    using kind = jobs();
    const amounts = async (change: object): Promise<unknown[]> => {
      const { spec } = await kind.created(inSpec(change));
      const { completions, parallelism, backoffLimit, podReplacementPolicy } = spec as Record<
        string,
        unknown
      >;
      return [completions, parallelism, backoffLimit, podReplacementPolicy];
    };
    assert.deepEqual(await amounts({}), [1, 1, 6, 'TerminatingOrFailed']);
    assert.deepEqual(await amounts({ parallelism: 2 }), [undefined, 2, 6, 'TerminatingOrFailed']);
    assert.deepEqual(await amounts({ completions: 2 }), [2, 1, 6, 'TerminatingOrFailed']);
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }];
    assert.deepEqual(await amounts({ podFailurePolicy: { rules } }), [1, 1, 6, 'Failed']);
    const perIndex = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 };
    assert.deepEqual(await amounts(perIndex), [2, 1, 2_147_483_647, 'TerminatingOrFailed']);
  });

  it('rejects specs that cannot finish, and invalid policies', async () => {
    using kind = jobs();
    const policy = (rule: object): { spec: object } =>
      inSpec({ podFailurePolicy: { rules: [rule] } });
    const success = (rule: object): { spec: object } =>
      indexed({ successPolicy: { rules: [rule] } });
    await kind.refusesToCreate([
      [
        inSpec({ parallelism: -1 }),
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ backoffLimit: -1 }),
        'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ activeDeadlineSeconds: -1 }),
        'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ ttlSecondsAfterFinished: -1 }),
        'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ template: { spec: { restartPolicy: undefined } } }),
        'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
      [
        inSpec({ template: { spec: { restartPolicy: 'X' } } }),
        'spec.template.spec.restartPolicy: Unsupported value: "X": supported values: "Always", "OnFailure", "Never"',
        'spec.template.spec.restartPolicy: Unsupported value: "X": supported values: "OnFailure", "Never"',
      ],
      [
        inSpec({ completionMode: 'X' }),
        'spec.completionMode: Unsupported value: "X": supported values: "NonIndexed", "Indexed"',
      ],
      [
        inSpec({ completionMode: 'Indexed', parallelism: 1 }),
        'spec.completions: Required value: when completion mode is Indexed',
      ],
      [
        indexed({ parallelism: 100_001 }),
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
      [
        indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 5 }),
        'spec.maxFailedIndexes: Invalid value: 5: must be less than or equal to completions',
      ],
      [
        indexed({ maxFailedIndexes: 1 }),
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
      ],
      [
        indexed({ completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 }),
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
      [
        inSpec({ backoffLimitPerIndex: 1 }),
        'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
      ],
      [
        inSpec({ podReplacementPolicy: 'X' }),
        'spec.podReplacementPolicy: Unsupported value: "X": supported values: "Failed", "TerminatingOrFailed"',
      ],
      [
        inSpec({ managedBy: 'x' }),
        'spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
      ],
      [
        inSpec({ managedBy: `example.com/${'a'.repeat(60)}` }),
        'spec.managedBy: Too long: may not be more than 63 bytes',
      ],
      [
        policy({}),
        'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
      ],
      [
        policy({ action: 'X', onPodConditions: [{ type: 'a b', status: 'X' }] }),
        'spec.podFailurePolicy.rules[0].action: Unsupported value: "X": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
        "spec.podFailurePolicy.rules[0].onPodConditions[0].type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.podFailurePolicy.rules[0].onPodConditions[0].status: Unsupported value: "X": supported values: "False", "True", "Unknown"',
      ],
      [
        policy({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }),
        'spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      ],
      [
        policy({ action: 'FailJob', onExitCodes: { operator: 'In', values: [0, 3, 3, 2] } }),
        'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 3',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [0,3,3,2]: must be ordered',
      ],
      [
        policy({
          action: 'FailJob',
          onExitCodes: { operator: 'X', values: [], containerName: 'x' },
        }),
        'spec.podFailurePolicy.rules[0].onExitCodes.operator: Unsupported value: "X": supported values: "In", "NotIn"',
        'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []: at least one value is required',
      ],
      [
        policy({
          action: 'Count',
          onExitCodes: { operator: 'In', values: [1] },
          onPodConditions: [{ type: 'A' }],
        }),
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
      ],
      [
        inSpec({
          podFailurePolicy: { rules: [] },
          podReplacementPolicy: 'TerminatingOrFailed',
          template: { spec: { restartPolicy: 'OnFailure' } },
        }),
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
      [
        inSpec({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
        'spec.successPolicy: Invalid value: {"rules":[{"succeededCount":1}]}: requires indexed completion mode',
      ],
      [
        indexed({ successPolicy: { rules: [] } }),
        'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
      ],
      [
        success({}),
        'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
      ],
      [
        success({ succeededCount: 4 }),
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)',
      ],
      [
        success({ succeededIndexes: '0-2,1' }),
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
      ],
      [
        success({ succeededIndexes: '0,x' }),
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0,x": error parsing succeededIndexes: cannot convert string to integer for index: "x"',
      ],
      [
        success({ succeededIndexes: '0-1-2' }),
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by \'-\'',
      ],
      [
        success({ succeededIndexes: '2-1' }),
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "2-1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
      ],
      [
        success({ succeededIndexes: '7' }),
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "7": error parsing succeededIndexes: too large index: "7"',
      ],
      [
        success({ succeededIndexes: '0-1', succeededCount: 3 }),
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      ],
      [
        { metadata: { name: 'a'.repeat(63) }, spec: { completionMode: 'Indexed', completions: 2 } },
        'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": will not able to create pod with invalid DNS label: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1',
      ],
    ]);
  });
});

describe('an update of a Job', () => {
  it('rejects changes of immutable fields', async () => {
    using kind = jobs();
    const job = await kind.given();
    await kind.updated(job, inSpec({ parallelism: 3, suspend: true, ttlSecondsAfterFinished: 5 }));
    await kind.refusesToUpdate(job, [
      [inSpec({ completions: 2 }), 'spec.completions: Invalid value: 2: field is immutable'],
      [
        inSpec({ completionMode: 'Indexed' }),
        'spec.completionMode: Invalid value: "Indexed": field is immutable',
      ],
      [
        inSpec({ managedBy: 'example.com/x' }),
        'spec.managedBy: Invalid value: "example.com/x": field is immutable',
      ],
      [
        inSpec({ podFailurePolicy: { rules: [] }, podReplacementPolicy: 'Failed' }),
        'spec.podFailurePolicy: Invalid value: {}: field is immutable',
      ],
    ]);
    const { body } = await kind.tryUpdate(
      job,
      inSpec({ template: { spec: { nodeSelector: { a: 'b' } } } }),
    );
    const [cause] = body.details?.causes ?? [];
    assert.equal(cause?.field, 'spec.template');
    assert.match(
      cause?.message ?? '',
      /^Invalid value: \{"metadata":\{"labels":.*"spec":\{.*field is immutable$/,
    );
  });

  it('may change scheduling and resources while the Job is suspended', async () => {
    using kind = jobs();
    const job = await kind.given(inSpec({ suspend: true }));
    const { containers } = (job['spec'] as { template: { spec: { containers: object[] } } })
      .template.spec;
    const [container] = containers;
    await kind.updated(
      job,
      inSpec({
        template: {
          metadata: { annotations: { a: 'b' } },
          spec: {
            nodeSelector: { a: 'b' },
            tolerations: [{ key: 'x', operator: 'Exists' }],
            affinity: { nodeAffinity: {} },
            schedulingGates: [{ name: 'g' }],
            containers: [{ ...container, resources: { requests: { cpu: '1' } } }],
          },
        },
      }),
    );
    const { body } = await kind.tryUpdate(job, inSpec({ template: { spec: { hostname: 'h' } } }));
    assert.equal(body.details?.causes?.[0]?.field, 'spec.template.spec');
  });

  it('may change completions together with parallelism of an indexed Job', async () => {
    using kind = jobs();
    const job = await kind.given(indexed({ parallelism: 3 }));
    await kind.updated(job, inSpec({ completions: 5, parallelism: 5 }));
    await kind.refusesToUpdate(job, [
      [
        inSpec({ completions: 5 }),
        'spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism',
      ],
    ]);
  });
});
