// Real timers: how late items come that are due within two seconds, what that costs, and for how
// long the event loop stands still meanwhile.
import { setTimeout as startTimer } from 'node:timers';
import { DelayingQueue } from 'client-ts/workqueue';
import { median } from '../lib/report.mjs';
import { keysOf } from './measure.mjs';

/** Long enough that everything has been added before the first is due, on a busy machine too. */
const FIRST_MS = 3000;
const SPREAD_MS = 2000;
const delayOf = (index) => FIRST_MS + ((index * 7919) % SPREAD_MS);

function watchTurns() {
  let longest = 0;
  let last = performance.now();
  let isOn = true;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOn = false;
    return longest;
  };
}

async function measure(count, run, { withTurns = false } = {}) {
  const late = [];
  const cpu = process.cpuUsage();
  const all = run(count, (dueAt) => late.push(performance.now() - dueAt));
  // By now everything has been added, in one turn that is the bench's own.
  const stopTurns = withTurns ? watchTurns() : undefined;
  await all;
  const { user, system } = process.cpuUsage(cpu);
  return {
    late: median(late),
    latest: late.reduce((a, b) => Math.max(a, b), 0),
    cpuMs: (user + system) / 1000,
    longestTurn: stopTurns?.(),
  };
}

async function delayingQueue(count, arrived) {
  const queue = new DelayingQueue();
  const dueAt = new Map();
  keysOf(count).forEach((key, index) => {
    dueAt.set(key, performance.now() + delayOf(index));
    queue.addAfter(key, delayOf(index));
  });
  for (let taken = 0; taken < count; taken += 1) {
    const { value } = await queue.get();
    arrived(dueAt.get(value));
    queue.done(value);
  }
}

async function bareTimers(count, arrived) {
  await Promise.all(
    keysOf(count).map((_, index) => {
      const due = performance.now() + delayOf(index);
      return new Promise((resolve) => {
        startTimer(() => {
          arrived(due);
          resolve();
        }, delayOf(index));
      });
    }),
  );
}

/** By name. The run that looks at turns keeps a processor busy: its processor time does not count. */
export async function realTimers(count) {
  const queue = await measure(count, delayingQueue);
  const { longestTurn } = await measure(count, delayingQueue, { withTurns: true });
  const bare = await measure(count, bareTimers);
  return { DelayingQueue: { ...queue, longestTurn }, 'a setTimeout for each': bare };
}
