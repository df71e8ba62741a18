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

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a CronJob', () => {
  const cronJobs = (): TestKind =>
    new TestKind(`${BATCH}/cronjobs`, {
      metadata: { name: 'c' },
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: TEMPLATE } } },
    });

  it('rejects invalid schedules, time zones and templates', async () => {
    using kind = cronJobs();
    await kind.refusesToCreate([
      [inSpec({ schedule: '' }), 'spec.schedule: Required value'],
      [
        inSpec({ schedule: '* * * *' }),
        'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
      ],
      [
        inSpec({ schedule: 'TZ=UTC * * * * *' }),
        'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
      [
        inSpec({ timeZone: '' }),
        'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string',
      ],
      [
        inSpec({ timeZone: 'Nowhere/Land' }),
        'spec.timeZone: Invalid value: "Nowhere/Land": unknown time zone Nowhere/Land',
      ],
      [
        inSpec({ timeZone: 'europe/berlin' }),
        'spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin',
      ],
      [
        inSpec({ timeZone: 'Local' }),
        'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ],
      [
        inSpec({ timeZone: '../x' }),
        'spec.timeZone: Invalid value: "../x": unknown time zone ../x',
      ],
      [
        inSpec({ concurrencyPolicy: 'X' }),
        'spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"',
      ],
      [
        inSpec({ startingDeadlineSeconds: -1 }),
        'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
        'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        inSpec({ jobTemplate: { spec: { manualSelector: true } } }),
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
      ],
      [
        inSpec({ jobTemplate: { spec: { selector: { matchLabels: { a: 'b' } } } } }),
        'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
      ],
      [
        inSpec({ jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } }),
        'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
      [
        { metadata: { name: 'a'.repeat(53) } },
        'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters',
      ],
    ]);
    await kind.created(inSpec({ timeZone: 'Europe/Berlin' }));
    await kind.created(inSpec({ schedule: '@every 1h30m' }));
  });

  it('increments its generation when the spec changes', async () => {
    using kind = cronJobs();
    const object = await kind.given();
    const { metadata } = await kind.updated(object, inSpec({ suspend: true }));
    assert.equal(metadata.generation, 2);
  });
});
