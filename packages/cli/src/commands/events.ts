import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts events`: query collected events. */
export const events: Command = defineCommand({
  name: 'events',
  summary: 'query collected events',
  usage: [''],
  about: [
    'Queries a database of client-ts collect-events, also while it is being written, without a server. All given conditions must hold. Prints the newest event last.',
    'Periods in which events may be missing are reported on standard error.',
  ],
  examples: [
    { about: 'warnings of the last two hours', line: 'client-ts events --since 2h --type Warning' },
    {
      about: 'why a pod did not start',
      line: 'client-ts events --object pod/web-0 --reason FailedScheduling',
    },
    { about: 'search in messages, reasons and names', line: 'client-ts events --grep BackOff' },
    {
      about: 'for another program',
      line: 'client-ts events -n shop -o json | jq .items[].message',
    },
  ],
  flags: {
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      default: 'events.db',
      about: 'database file',
      complete: 'file',
    },
    since: { type: 'duration', about: 'only events newer than this: 90m, 7d' },
    until: { type: 'duration', about: 'only events older than this' },
    type: {
      type: 'choice',
      value: 'TYPE',
      choices: ['Normal', 'Warning'],
      about: 'only events of this type: Normal or Warning',
      complete: ['Normal', 'Warning'],
    },
    reason: {
      type: 'string',
      value: 'REASON',
      about: 'only events with this reason: FailedScheduling',
    },
    object: {
      type: 'string',
      value: 'KIND/NAME',
      about: 'only events about this object: pod/web-0, deploy/web, or a name',
    },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      about: 'only events of this namespace',
    },
    grep: {
      type: 'string',
      short: 'g',
      value: 'TEXT',
      about: 'only events with this text in the message, the reason or the object',
    },
    limit: { type: 'integer', value: 'N', about: 'only the newest N events' },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'wide', 'json', 'ndjson'],
      default: 'table',
      about: 'output format: a table, a wide table, a JSON list, or JSON lines',
      complete: ['table', 'wide', 'json', 'ndjson'],
    },
  },
  node: '22.16.0',
  run: async ({ flags }, context) => {
    const { printEvents } = await import('../events/print-events.ts');
    const now = context.clock.now();
    printEvents(
      {
        file: flags.file,
        query: {
          sinceMs: flags.since === undefined ? undefined : now - flags.since,
          untilMs: flags.until === undefined ? undefined : now - flags.until,
          type: flags.type,
          reason: flags.reason,
          object: flags.object,
          namespace: flags.namespace,
          grep: flags.grep,
          limit: flags.limit,
        },
        output: flags.output,
      },
      context,
    );
  },
});
