// The informer of @kubernetes/client-node, measured. It has no indices, and lists before it watches.
import { clientNode } from '../peers/install.mjs';
import { measure, subjectOptions } from './subject.mjs';

const options = subjectOptions();
const { kubeconfig, kind, handlers } = options;
const { CoreV1Api, CustomObjectsApi, KubeConfig, makeInformer } = await clientNode();
const config = new KubeConfig();
config.loadFromFile(kubeconfig);

const group = 'bench.example.com';
const version = 'v1';
const [path, list] =
  kind === 'pods'
    ? ['/api/v1/pods', () => config.makeApiClient(CoreV1Api).listPodForAllNamespaces()]
    : [
        `/apis/${group}/${version}/${kind}`,
        () =>
          config
            .makeApiClient(CustomObjectsApi)
            .listClusterCustomObject({ group, version, plural: kind }),
      ];

await measure(options, (onUpdate) => {
  const informer = makeInformer(config, path, list);
  informer.on('error', (error) => console.error(error));
  for (let index = 0; index < handlers; index += 1) {
    informer.on('add', () => undefined);
    informer.on('update', onUpdate);
  }
  return {
    start: () => informer.start(),
    size: () => informer.list().length,
    stop: () => informer.stop(),
  };
});
process.exit();
