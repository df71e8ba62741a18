import { type Command, defineCommand } from '../frame/command.ts';
import { kubernetesVersionFlag } from '../frame/kubernetes-version-flag.ts';

/** `client-ts serve`: the embedded API server. */
export const serve: Command = defineCommand({
  name: 'serve',
  summary: 'run the embedded API server',
  usage: [''],
  about: [
    'Runs a Kubernetes API server in this process, over TLS on a local address, until Ctrl-C, and writes a kubeconfig for it. Without --controllers simulated it has no nodes, so pods stay pending. Its objects are lost when it stops, unless --data names a directory to keep them in.',
  ],
  examples: [
    { about: 'on a free port', line: 'client-ts serve' },
    {
      about: 'with initial objects',
      line: 'client-ts serve --load crds.yaml --load pods.yaml',
    },
    {
      about: 'with objects that are kept until the next time',
      line: 'client-ts serve --data ./cluster --port 6443',
    },
    {
      about: 'with deployments that make pods',
      line: 'client-ts serve --controllers simulated',
    },
    {
      about: 'with all beta and alpha versions, for a real kube-controller-manager',
      line: "client-ts serve --runtime-config api/all=true --own-controllers ''",
    },
    {
      about: 'with the API of an older release',
      line: 'client-ts serve --kubernetes-version 1.34',
    },
    {
      about: 'on a fixed port, without authorization',
      line: 'client-ts serve --port 6443 --token secret --authorization allow',
    },
  ],
  flags: {
    port: {
      type: 'integer',
      value: 'N',
      max: 65_535,
      default: 0,
      about: 'listen on this port; 0 for any free port',
    },
    host: {
      type: 'string',
      value: 'ADDRESS',
      default: '127.0.0.1',
      about: 'listen on this address',
    },
    'kubeconfig-out': {
      type: 'string',
      value: 'FILE',
      about: 'write the kubeconfig to this file (default: .kube/client-ts.kubeconfig)',
      complete: 'file',
    },
    token: {
      type: 'string',
      value: 'TOKEN',
      about: 'bearer token of the administrator (default: random)',
    },
    data: {
      type: 'string',
      value: 'DIR',
      about:
        'keep objects, history, certificates and tokens in this directory, and continue with what is in it',
      complete: 'file',
    },
    authorization: {
      type: 'choice',
      value: 'MODE',
      choices: ['allow', 'rbac'],
      default: 'rbac',
      about:
        'authorization mode: rbac checks roles and bindings, allow permits everything to authenticated users',
      complete: ['allow', 'rbac'],
    },
    controllers: {
      type: 'choice',
      value: 'KIND',
      choices: ['none', 'simulated'],
      default: 'none',
      about:
        'workload controllers, scheduler and kubelets: simulated makes pods that become ready or complete, and endpoints of services',
      complete: ['none', 'simulated'],
    },
    'client-ca': {
      type: 'string',
      value: 'FILE',
      about:
        'PEM file with certificates of CAs; a client certificate of one of them authenticates its common name, with its organizations as groups',
      complete: 'file',
    },
    'kubernetes-version': kubernetesVersionFlag,
    'runtime-config': {
      type: 'string',
      value: 'KEY=BOOL,…',
      about:
        'API versions to switch on or off, as for kube-apiserver: api/all=true, api/beta=true, batch/v1=false (default: stable versions only)',
    },
    'own-controllers': {
      type: 'string',
      value: 'NAME,…',
      default: '*',
      about:
        'controllers of kube-controller-manager that the server runs itself: * for all but root-ca-certificate-publisher-controller, -NAME switches one off',
    },
    'enable-admission-plugins': {
      type: 'string',
      value: 'NAME,…',
      about:
        'admission plugins to switch on, as for kube-apiserver; all that the server has are on but ServiceAccount',
    },
    'disable-admission-plugins': {
      type: 'string',
      value: 'NAME,…',
      about: 'admission plugins to switch off, such as DefaultTolerationSeconds,LimitRanger',
    },
    load: {
      type: 'list',
      value: 'FILE',
      about:
        'YAML or JSON file with objects to apply at the start, including CRDs; - for standard input',
      complete: 'file',
    },
  },
  run: async ({ flags }, context) => {
    const { serve } = await import('../serve/serve.ts');
    await serve(
      {
        port: flags.port,
        host: flags.host,
        authorization: flags.authorization,
        ...(flags.token !== undefined && { token: flags.token }),
        clientCAFile: flags['client-ca'],
        kubernetesVersion: flags['kubernetes-version'],
        runtimeConfig: flags['runtime-config'] ?? '',
        ownControllers: flags['own-controllers'],
        enabledPlugins: flags['enable-admission-plugins'] ?? '',
        disabledPlugins: flags['disable-admission-plugins'] ?? '',
        controllers: flags.controllers,
        kubeconfigOut: flags['kubeconfig-out'],
        data: flags.data,
        load: flags.load,
      },
      context,
    );
  },
});
