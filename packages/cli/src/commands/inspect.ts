import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts inspect`: the page that shows what a program is doing. */
export const inspect: Command = defineCommand({
  name: 'inspect',
  summary: 'show what a running program, or a recorded session, is doing',
  usage: ['', '--pid PID', '--url URL', 'FILE'],
  about: [
    'Prints the address of a web page that shows the informers, queues, controllers and requests of a program that serves the inspector: one that calls inspect() of @client-ts/inspector, or client-ts demo. The address has a token, which can be used once.',
    'With a file it serves a session that the page has exported, or that a simulation has written, until Ctrl-C.',
  ],
  examples: [
    { about: 'the only program that serves it', line: 'client-ts inspect --open' },
    { about: 'one of several', line: 'client-ts inspect --pid 4711' },
    { about: 'a recorded session', line: 'client-ts inspect operator.session --open' },
  ],
  flags: {
    pid: {
      type: 'integer',
      value: 'PID',
      about: 'the program with this process id, of the same user',
    },
    url: {
      type: 'string',
      value: 'URL',
      about: 'the program at this address, with the token it printed or without one',
    },
    open: { type: 'boolean', about: 'start a browser' },
    port: {
      type: 'integer',
      value: 'N',
      max: 65_535,
      default: 0,
      about: 'serve a recorded session on this port; 0 for any free port',
    },
  },
  positionals: [{ name: 'FILE', about: 'file of a recorded session', complete: 'file' }],
  most: 1,
  run: async ({ flags, positionals }, context) => {
    const { inspectCommand } = await import('../inspect/inspect.ts');
    const { pid, url, open, port } = flags;
    await inspectCommand({ file: positionals[0], pid, url, open, port }, context);
  },
});
