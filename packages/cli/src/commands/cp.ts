import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags, namespaceFlags } from '../frame/connection-flags.ts';

/** `client-ts cp`: copy files from and to containers. */
export const cp: Command = defineCommand({
  name: 'cp',
  summary: 'copy files and folders from and to containers',
  usage: ['SOURCE [NAMESPACE/]POD:TARGET', '[NAMESPACE/]POD:SOURCE TARGET'],
  about: [
    'Copies a file or a folder. Modes and times are kept. The container needs tar.',
    'Nothing is written outside of TARGET, whatever the container sends; links that would leave it are skipped.',
  ],
  examples: [
    { about: 'a folder into a pod', line: 'client-ts cp dist web-0:/srv/dist' },
    { about: 'a file from a pod', line: 'client-ts cp web-0:/etc/hosts hosts -c app' },
  ],
  flags: {
    namespace: namespaceFlags.namespace,
    container: { type: 'string', value: 'NAME', short: 'c', about: 'container' },
    'no-preserve': { type: 'boolean', about: 'do not keep modes and times' },
    retries: {
      type: 'integer',
      value: 'N',
      default: 0,
      about: 'how often to begin again when the connection of a copy from a container breaks',
    },
    ...connectionFlags,
  },
  positionals: [
    { name: 'SOURCE', about: 'a local path, or [NAMESPACE/]POD:PATH', complete: 'file' },
    { name: 'TARGET', about: 'a local path, or [NAMESPACE/]POD:PATH', complete: 'file' },
  ],
  required: 2,
  most: 2,
  run: async ({ flags, positionals }, context) => {
    const [source = '', target = ''] = positionals;
    const { cp } = await import('../streams/cp.ts');
    const { namespace, container, retries } = flags;
    const preserve = !flags['no-preserve'];
    await cp(
      { connection: flags, namespace, source, target, container, preserve, retries },
      context,
    );
  },
});
