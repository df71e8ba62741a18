import { runningInformers } from '../../cache/diagnostics.ts';
import { runningQueues } from '../../workqueue/diagnostics.ts';

/**
 * Processes that have crashed never stop what they run. Disposing removes what they have left in the
 * registries of the real process, which would keep it in memory and show it in later sessions.
 */
export function forgetLeftovers(): Disposable {
  const informers = new Set(runningInformers);
  const queues = new Set(runningQueues.keys());
  return {
    [Symbol.dispose]: () => {
      for (const informer of runningInformers) {
        if (!informers.has(informer)) runningInformers.delete(informer);
      }
      for (const queue of runningQueues.keys()) {
        if (!queues.has(queue)) runningQueues.delete(queue);
      }
    },
  };
}
