import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts serve`: the embedded API server. */
export const serve: Command = defineCommand({
  name: 'serve',
  summary: 'run the embedded API server, and print how to reach it with kubectl',
  usage: [''],
  about: [
    'Runs a Kubernetes API server in this process: over TLS, on this machine only, until Ctrl-C. There are no nodes, so pods stay pending, and nothing is kept: everything is gone when it stops. A kubeconfig for it is written.',
  ],
  examples: [
    { about: 'on any free port', line: 'client-ts serve' },
    {
      about: 'with objects to begin with',
      line: 'client-ts serve --load crds.yaml --load pods.yaml',
    },
    {
      about: 'always at the same place, with rights as Roles say',
      line: 'client-ts serve --port 6443 --token secret --authorization rbac',
    },
  ],
  flags: {
    port: {
      type: 'integer',
      value: 'N',
      max: 65_535,
      default: 0,
      about: 'listen on this port; 0 is any free one',
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
      about: 'the bearer token of the administrator, instead of a random one',
    },
    authorization: {
      type: 'choice',
      value: 'MODE',
      choices: ['allow', 'rbac'],
      default: 'allow',
      about: 'who may do what: allow lets known users do everything, rbac asks Roles and bindings',
      complete: ['allow', 'rbac'],
    },
    load: {
      type: 'list',
      value: 'FILE',
      about:
        'a YAML or JSON file with objects that shall be there from the start, definitions of custom resources included; - is standard input',
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
        kubeconfigOut: flags['kubeconfig-out'],
        load: flags.load,
      },
      context,
    );
  },
});
