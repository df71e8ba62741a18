import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { podTimeoutFlag } from '../frame/stream-flags.ts';

/** `client-ts port-forward`: forward local ports to a pod. */
export const portForward: Command = defineCommand({
  name: 'port-forward',
  summary: 'forward local ports to a pod',
  usage: ['POD [LOCAL_PORT:]REMOTE_PORT…', 'TYPE/NAME [LOCAL_PORT:]REMOTE_PORT…'],
  about: [
    'Forwards local ports to a pod until Ctrl-C, or until the pod is gone. Every connection has a tunnel of its own: one that is slow or breaks affects no other.',
    'Without a local port it is the same as the remote one; with an empty one, :80, a random one.',
  ],
  examples: [
    { about: 'port 8080 of a pod, as it is', line: 'client-ts port-forward web-0 8080' },
    { about: 'a service, on a random port', line: 'client-ts port-forward svc/web :http' },
    {
      about: 'a deployment, whichever of its pods is there',
      line: 'client-ts port-forward deploy/web 8080:80 --reconnect',
    },
  ],
  flags: {
    namespace: namespaceFlags.namespace,
    address: {
      type: 'list',
      value: 'ADDRESS',
      commas: true,
      about: 'local addresses: localhost (default) or IP addresses',
    },
    reconnect: { type: 'boolean', about: 'continue with another pod when the pod is gone' },
    'pod-running-timeout': podTimeoutFlag(60_000),
    ...connectionFlags,
  },
  positionals: [
    { name: 'POD', about: 'a pod, or TYPE/NAME of something that has pods' },
    { name: 'PORT', about: '[LOCAL_PORT:]REMOTE_PORT, the remote one by number or name' },
  ],
  required: 2,
  run: async ({ flags, positionals }, context) => {
    const [target = '', ...ports] = positionals;
    const { forwardPorts } = await import('../streams/port-forward.ts');
    const { namespace, address: addresses, reconnect } = flags;
    const podTimeoutMs = flags['pod-running-timeout'];
    await forwardPorts(
      { connection: flags, namespace, target, ports, addresses, reconnect, podTimeoutMs },
      context,
    );
  },
});
