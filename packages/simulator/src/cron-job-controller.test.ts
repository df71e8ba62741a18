import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { CronJob, CronJobSpec } from 'client-ts/api/batch/v1';
import type { PodSpec } from 'client-ts/api/core/v1';
import { compareStrings } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { type TestBed, testBed } from './bed/bed.ts';

const NS = 'default';
const start = Date.parse('2026-01-01T00:00:30Z');

/** A cluster whose time passes when a test says so. */
async function cluster(): Promise<{ readonly bed: TestBed; readonly clock: VirtualClock }> {
  const clock = new VirtualClock({ startMs: start });
  return { clock, bed: await testBed({ controllers: 'simulated', clock }) };
}

function cronJob(spec: Partial<CronJobSpec> = {}, pod: Partial<PodSpec> = {}): CronJob {
  const containers = [{ name: 'main', image: 'backup:1' }];
  const template = { spec: { restartPolicy: 'Never' as const, containers, ...pod } };
  const jobTemplate = { metadata: { labels: { app: 'backup' } }, spec: { template } };
  return { metadata: { name: 'backup' }, spec: { schedule: '* * * * *', jobTemplate, ...spec } };
}

/** Lets time pass by milliseconds until something is so. */
async function until(clock: VirtualClock, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await clock.advance(1);
}

async function jobsOf(bed: TestBed): Promise<string[]> {
  const { items } = await bed.client.batchV1.jobs(NS).list();
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(
      ({ metadata }) =>
        metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '',
    )
    .toSorted(compareStrings);
}

describe('CronJobs of WorkloadControllers', () => {
  it('make a job at every moment of the schedule, and keep the newest', async () => {
    const { bed, clock } = await cluster();
    await using _ = bed;
    const cronJobs = bed.client.batchV1.cronJobs(NS);
    await cronJobs.create(cronJob({ successfulJobsHistoryLimit: 2 }));
    const successAt = async (minute: number): Promise<void> => {
      const at = `2026-01-01T00:0${minute}:00Z`;
      await clock.advance(Date.parse(at) - clock.now());
      await until(clock, async () => {
        const { status } = await cronJobs.get('backup');
        return Date.parse(status?.lastSuccessfulTime ?? '') >= Date.parse(at);
      });
    };
    await successAt(1);
    assert.deepEqual(await jobsOf(bed), ['2026-01-01T00:01:00Z']);
    const [job] = (await bed.client.batchV1.jobs(NS).list()).items;
    assert.equal(job?.metadata.name, `backup-${Date.parse('2026-01-01T00:01:00Z') / 60_000}`);
    assert.equal(job?.metadata.labels?.['app'], 'backup');
    assert.equal(job?.metadata.ownerReferences?.[0]?.kind, 'CronJob');
    for (const minute of [2, 3, 4]) await successAt(minute);
    await until(clock, async () => (await jobsOf(bed)).length === 2);
    assert.deepEqual(await jobsOf(bed), ['2026-01-01T00:03:00Z', '2026-01-01T00:04:00Z']);
    const { status } = await cronJobs.get('backup');
    assert.equal(status?.lastScheduleTime, '2026-01-01T00:04:00Z');
    assert.equal(status?.active?.length ?? 0, 0);
  });

  it('make up for a missed moment once, and not if it is too late', async () => {
    const { bed, clock } = await cluster();
    await using _ = bed;
    const cronJobs = bed.client.batchV1.cronJobs(NS);
    await cronJobs.create(cronJob({ schedule: '*/10 * * * *', suspend: true }));
    const late = cronJob({ schedule: '*/10 * * * *', suspend: true, startingDeadlineSeconds: 60 });
    await cronJobs.create({ ...late, metadata: { name: 'late' } });
    await clock.advance(25 * 60_000);
    assert.deepEqual(await jobsOf(bed), []);
    for (const name of ['late', 'backup']) {
      await cronJobs.patch(name, { spec: { suspend: false } }, { type: 'merge' });
    }
    await until(clock, async () => (await jobsOf(bed)).length > 0);
    assert.deepEqual(await jobsOf(bed), ['2026-01-01T00:20:00Z']);
    assert.equal((await cronJobs.get('late')).status?.lastScheduleTime, undefined);
  });

  it('neither run beside a job that forbids it, nor leave one that they replace', async () => {
    const { bed, clock } = await cluster();
    await using _ = bed;
    const cronJobs = bed.client.batchV1.cronJobs(NS);
    // Its pods find no node, so that the job does not end.
    const waiting = { nodeSelector: { disk: 'none' } };
    await cronJobs.create(cronJob({ concurrencyPolicy: 'Forbid' }, waiting));
    await clock.advance(30_000);
    await until(clock, async () => (await cronJobs.get('backup')).status?.active?.length === 1);
    await clock.advance(60_000);
    await cronJobs.patch('backup', { spec: { concurrencyPolicy: 'Replace' } }, { type: 'merge' });
    await until(clock, async () => (await jobsOf(bed)).join() === '2026-01-01T00:02:00Z');
    const { status } = await cronJobs.get('backup');
    assert.equal(status?.lastScheduleTime, '2026-01-01T00:02:00Z');
  });
});
