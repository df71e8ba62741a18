import { type Command, defineCommand } from '../frame/command.ts';

/** `client-ts events`: search what was collected. */
export const events: Command = defineCommand({
  name: 'events',
  summary: 'search the events that collect-events has kept',
  usage: [''],
  about: [
    'Searches a database that client-ts collect-events has written, or is writing: no server is asked, and the cluster may be gone. Everything that is asked for must hold. The newest event comes last.',
    'If something may be missing in that time, because the collector did not run or the server had forgotten, that is said on standard error.',
  ],
  examples: [
    { about: 'warnings of the last two hours', line: 'client-ts events --since 2h --type Warning' },
    {
      about: 'why a pod did not start',
      line: 'client-ts events --object pod/web-0 --reason FailedScheduling',
    },
    { about: 'text in messages, reasons and names', line: 'client-ts events --grep BackOff' },
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
      about: 'the database',
      complete: 'file',
    },
    since: { type: 'duration', about: 'not longer ago than this: 90m, 7d' },
    until: { type: 'duration', about: 'at least this long ago' },
    type: {
      type: 'string',
      value: 'TYPE',
      about: 'of this type',
      complete: ['Normal', 'Warning'],
    },
    reason: { type: 'string', value: 'REASON', about: 'with this reason: FailedScheduling' },
    object: {
      type: 'string',
      value: 'KIND/NAME',
      about: 'about this object: pod/web-0, deploy/web, or only a name',
    },
    namespace: { type: 'string', short: 'n', value: 'NAME', about: 'of this namespace' },
    grep: {
      type: 'string',
      short: 'g',
      value: 'TEXT',
      about: 'with this text in the message, the reason or the object',
    },
    limit: { type: 'integer', value: 'N', about: 'only the newest so many' },
    output: {
      type: 'choice',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'wide', 'json', 'ndjson'],
      default: 'table',
      about: 'a table, a wider one, one JSON list, or a line of JSON for each',
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
