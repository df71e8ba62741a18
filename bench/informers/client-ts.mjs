// An informer of client-ts, measured.
import { ListWatch, SharedIndexInformer } from 'client-ts/cache';
import { loadConfig } from 'client-ts/clientcmd';
import { DynamicClient } from 'client-ts/dynamic';
import { Clientset } from 'client-ts/kubernetes';
import { replayTransport } from './replay-transport.mjs';
import { measure, subjectOptions } from './subject.mjs';

const options = subjectOptions();
const { kind, objects, handlers, indices, indexers, inProcess, kubeconfig, namespace } = options;
/** A handler that reads every field. */
const read = (object) => JSON.stringify(object).length;
const transport = inProcess ? replayTransport(objects) : undefined;
const config = transport
  ? { server: 'http://replay', transport }
  : await loadConfig({ kubeconfig });

const client =
  kind === 'pods' ? new Clientset(config, { codec: 'protobuf' }) : new DynamicClient(config);
const resource =
  kind === 'pods'
    ? client.coreV1.pods(namespace)
    : client.resource({ group: 'bench.example.com', version: 'v1', resource: kind });

await measure(options, (onUpdate) => {
  const informer = new SharedIndexInformer({
    listerWatcher: new ListWatch(resource, options.kept),
    onWatchError: ({ verb, error }) => console.error(verb, error),
    onError: (problem) => console.error(problem),
    indexers: Object.fromEntries(Object.entries(indexers).slice(0, indices)),
  });
  const registrations = Array.from({ length: handlers }, () =>
    informer.addEventHandler(
      options.touch
        ? { onAdd: read, onUpdate: (_, object) => onUpdate(read(object)) }
        : { onAdd: () => undefined, onUpdate },
    ),
  );
  const stopping = new AbortController();
  let running;
  return {
    start: async () => {
      running = informer.run({ signal: stopping.signal });
      await Promise.all(registrations.map(({ synced }) => synced));
    },
    size: () => informer.indexer.size,
    change: transport?.change,
    stop: async () => {
      stopping.abort();
      await running;
      await client[Symbol.asyncDispose]();
    },
  };
});
