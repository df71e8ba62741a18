import { SharedIndexInformer } from 'client-ts/cache';

const keyCount = 10_000;

const pod = (index, version) => ({
  metadata: { namespace: 'ns', name: `pod-${index}`, resourceVersion: String(version) },
  spec: { nodeName: `node-${index % 500}` },
});

/**
 * Watch events per second from a source that is never the bottleneck, through queue, store and one
 * index to every handler. The events are made beforehand: decoding is another bench's business.
 */
export async function eventsPerSecond({ queue, handlers, events: count }) {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'MODIFIED',
    object: pod(index % keyCount, 100_000 + index),
  }));
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  async function* watch(signal) {
    await opened;
    yield* events;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  const informer = new SharedIndexInformer({
    queue,
    listerWatcher: {
      supportsWatchList: false,
      list: async () => ({
        items: Array.from({ length: keyCount }, (_, index) => pod(index, index + 1)),
        metadata: { resourceVersion: '99999' },
      }),
      watch: async ({ signal }) => watch(signal),
    },
  }).addIndexers({ node: (object) => [object.spec.nodeName] });

  let seen = 0;
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  for (let index = 0; index < handlers; index += 1) {
    informer.addEventHandler({
      onUpdate: () => {
        seen += 1;
        if (seen === count * handlers) finish();
      },
    });
  }
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await informer.synced;
  const start = performance.now();
  open();
  await finished;
  const seconds = (performance.now() - start) / 1000;
  stop.abort();
  await running;
  return count / seconds;
}
