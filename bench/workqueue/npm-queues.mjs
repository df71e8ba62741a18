// Queues of npm at what they have in common with a work queue: tasks in, ten at a time, until all are
// done. A task does nothing. Only better-queue knows what a work queue lives by: an item that is
// added twice is worked on once.
import { npmQueues } from '../peers/install.mjs';
import { queueCases } from './cases.mjs';

const CONCURRENCY = 10;
const nothing = async () => undefined;
/** Some need half a minute for 100,000 tasks; they are measured up to this many. */
const MOST_FOR_SLOW = 10_000;
const slow = (work) => (keys) => () => (keys.length > MOST_FOR_SLOW ? undefined : () => work(keys));

export async function npmCases() {
  const { async, BetterQueue, Bottleneck, fastq, PQueue } = await npmQueues();
  return {
    'client-ts WorkQueue': queueCases['add to done through 10 idle workers'],
    'client-ts runWorkers': queueCases['the same by runWorkers'],
    fastq: (keys) => () => async () => {
      const queue = fastq.promise(nothing, CONCURRENCY);
      for (const key of keys) void queue.push(key);
      await queue.drained();
    },
    'async.queue': (keys) => () => async () => {
      const queue = async.queue(nothing, CONCURRENCY);
      for (const key of keys) void queue.push(key);
      await queue.drain();
    },
    'p-queue': (keys) => () => async () => {
      const queue = new PQueue({ concurrency: CONCURRENCY });
      for (const key of keys) void queue.add(() => nothing(key));
      await queue.onIdle();
    },
    bottleneck: slow(async (keys) => {
      const limiter = new Bottleneck({ maxConcurrent: CONCURRENCY });
      await Promise.all(keys.map((key) => limiter.schedule(nothing, key)));
    }),
    'better-queue': slow(async (keys) => {
      const queue = new BetterQueue((key, done) => done(), { concurrent: CONCURRENCY });
      const drained = new Promise((resolve) => queue.on('drain', resolve));
      for (const key of keys) queue.push({ id: key });
      await drained;
      queue.destroy();
    }),
  };
}
