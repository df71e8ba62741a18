import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';
import { podTimeoutFlag } from '../frame/stream-flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** `client-ts logs`: print logs of pods. */
export const logs: Command = defineCommand({
  name: 'logs',
  summary: 'print the logs of a pod, or of all pods of a selector',
  usage: ['POD', 'TYPE/NAME', '-l SELECTOR'],
  about: [
    'Prints the log of a container. With --follow it continues with new lines; a lost connection is replaced without losing or repeating a line.',
    'With a selector and --follow, pods that start later are included.',
  ],
  examples: [
    { about: 'the log of a pod', line: 'client-ts logs web-0' },
    { about: 'its last 20 lines, and new ones', line: 'client-ts logs web-0 --tail 20 -f' },
    { about: 'of a pod of a deployment', line: 'client-ts logs deployment/web -c app' },
    {
      about: 'of all pods of a deployment',
      line: 'client-ts logs deployment/web --all-pods --all-containers',
    },
    { about: 'of all pods of an app', line: 'client-ts logs -l app=web -f --prefix' },
    { about: 'of the instance before the last restart', line: 'client-ts logs web-0 -p' },
  ],
  flags: {
    namespace: namespaceFlags.namespace,
    selector: {
      type: 'string',
      value: 'SELECTOR',
      short: 'l',
      about: 'label selector: the logs of all its pods',
    },
    container: { type: 'string', value: 'NAME', short: 'c', about: 'container' },
    'all-containers': { type: 'boolean', about: 'all containers, init containers included' },
    follow: { type: 'boolean', short: 'f', about: 'continue with new lines, until Ctrl-C' },
    previous: { type: 'boolean', short: 'p', about: 'the previous instance of the container' },
    tail: {
      type: 'string',
      value: 'N',
      about: 'only the last lines; -1 for all (default: all, or 10 with a selector)',
    },
    since: { type: 'duration', about: 'only lines of the last 5s, 2m or 3h' },
    'since-time': { type: 'string', value: 'TIME', about: 'only lines since a time (RFC 3339)' },
    timestamps: { type: 'boolean', about: 'begin each line with its time' },
    'limit-bytes': { type: 'integer', value: 'N', about: 'maximum number of bytes' },
    prefix: { type: 'boolean', about: 'begin each line with its pod and container' },
    'ignore-errors': { type: 'boolean', about: 'errors are not a failure' },
    'max-log-requests': {
      type: 'integer',
      value: 'N',
      default: 5,
      about: 'maximum number of logs to follow with a selector',
    },
    'all-pods': {
      type: 'boolean',
      about: 'of all pods of TYPE/NAME, with --prefix',
    },
    'pod-running-timeout': podTimeoutFlag(20_000),
    'insecure-skip-tls-verify-backend': {
      type: 'boolean',
      about: 'do not verify the certificate of the kubelet (insecure)',
    },
    ...connectionFlags,
  },
  positionals: [{ name: 'POD', about: 'a pod, or TYPE/NAME of something that has pods' }],
  most: 1,
  run: async ({ flags, positionals }, context) => {
    if (flags.since !== undefined && flags['since-time'] !== undefined) {
      throw new UsageError('--since and --since-time cannot be combined');
    }
    // kubectl shows this many lines of each pod of a selector.
    const unsaid = flags.selector === undefined ? undefined : 10;
    const tail = flags.tail === undefined ? unsaid : Number(flags.tail);
    if (tail !== undefined && (!Number.isInteger(tail) || tail < -1)) {
      throw new UsageError(`--tail must be a whole number, not ${JSON.stringify(flags.tail)}`);
    }
    const { logs } = await import('../streams/logs.ts');
    await logs(
      {
        connection: flags,
        namespace: flags.namespace,
        target: positionals[0],
        selector: flags.selector,
        container: flags.container,
        allContainers: flags['all-containers'],
        allPods: flags['all-pods'],
        podTimeoutMs: flags['pod-running-timeout'],
        prefix: flags.prefix || flags['all-pods'],
        ignoreErrors: flags['ignore-errors'],
        maxLogRequests: flags['max-log-requests'],
        log: {
          follow: flags.follow,
          previous: flags.previous,
          timestamps: flags.timestamps,
          limitBytes: flags['limit-bytes'] === 0 ? undefined : flags['limit-bytes'],
          sinceTime: flags['since-time'],
          sinceSeconds: flags.since === undefined ? undefined : Math.ceil(flags.since / 1000),
          tailLines: tail === -1 ? undefined : tail,
          insecureSkipTLSVerifyBackend: flags['insecure-skip-tls-verify-backend'] || undefined,
        },
      },
      context,
    );
  },
});
