import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

const search = 'Elasticsearch and OpenSearch';

/** `client-ts collect-events`: keep events for longer than the server does. */
export const collectEvents: Command = defineCommand({
  name: 'collect-events',
  summary: 'keep the events of a cluster for as long as you like',
  usage: [''],
  about: [
    'A server forgets events after an hour. This copies them, as they happen, into a database file that client-ts events searches, into Elasticsearch or OpenSearch, and as lines of JSON into files; into several at once if you like. It runs until Ctrl-C.',
    'It can be stopped and killed at any time: it goes on where it was, and no event is kept twice. What the server has forgotten meanwhile is noted as a gap. While a place to write to is away, events wait in memory, then on disk.',
    'Passwords are better kept in a file or in the environment: ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY; OPENSEARCH_… likewise.',
  ],
  examples: [
    { about: 'into events.db, for 90 days', line: 'client-ts collect-events --keep 90d' },
    { about: 'then ask', line: 'client-ts events --since 2h --type Warning' },
    {
      about: 'into Elasticsearch only',
      line: 'client-ts collect-events --sqlite=false --elasticsearch https://search:9200 --search-credentials FILE',
    },
    {
      about: 'as lines of JSON',
      line: 'client-ts collect-events --sqlite=false --ndjson - | jq .message',
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
    sqlite: { type: 'boolean', default: true, about: 'write to the database' },
    keep: { type: 'duration', about: 'forget events in the database that are older: 30d' },
    'max-size': {
      type: 'string',
      value: 'SIZE',
      about: 'forget the oldest events when the database becomes larger: 500MB, 2GiB',
    },
    ndjson: {
      type: 'list',
      value: 'FILE',
      about: 'write a line of JSON for every event to this file; - is standard output',
      complete: 'file',
    },
    'ndjson-max-size': {
      type: 'string',
      value: 'SIZE',
      default: '100MB',
      about: 'move such a file to FILE.1 before it becomes larger; 0: never',
    },
    'ndjson-keep': {
      type: 'integer',
      value: 'N',
      default: 10,
      about: 'how many files FILE.1, FILE.2, … to keep',
    },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      about: 'only events of this namespace, instead of all',
      complete: 'namespace',
    },
    spool: {
      type: 'string',
      value: 'DIRECTORY',
      about: 'for what waits on disk; default: the name of the database with .spool behind it',
      complete: 'directory',
    },
    'max-spool': {
      type: 'string',
      value: 'SIZE',
      default: '1GiB',
      about: 'what may wait on disk for each place to write to; more is dropped, and counted',
    },
    'queue-size': {
      type: 'integer',
      value: 'N',
      default: 10_000,
      about: 'how many events may wait in memory for each place to write to',
    },
    'batch-size': {
      type: 'integer',
      value: 'N',
      default: 1000,
      about: 'how many events are written at once',
    },
    elasticsearch: {
      type: 'string',
      value: 'URL',
      about: 'write to this Elasticsearch; needs npm install @elastic/elasticsearch',
      section: search,
    },
    opensearch: {
      type: 'string',
      value: 'URL',
      about: 'write to this OpenSearch; needs npm install @opensearch-project/opensearch',
      section: search,
    },
    index: {
      type: 'string',
      value: 'NAME',
      default: 'kubernetes-events',
      about: 'what the name of each index begins with; one a day',
      section: search,
    },
    'data-stream': {
      type: 'boolean',
      about: 'one data stream of that name, instead of an index a day',
      section: search,
    },
    'search-user': { type: 'string', value: 'NAME', about: 'the user', section: search },
    'search-password': { type: 'string', value: 'TEXT', about: 'the password', section: search },
    'search-api-key': {
      type: 'string',
      value: 'KEY',
      about: 'an API key, as the server encoded it, instead of a user',
      section: search,
    },
    'search-credentials': {
      type: 'string',
      value: 'FILE',
      about: 'a file with user:password, or with ApiKey and the key',
      section: search,
      complete: 'file',
    },
    'search-ca': {
      type: 'string',
      value: 'FILE',
      about: 'the CA that the certificate of the server must come from',
      section: search,
      complete: 'file',
    },
    'search-insecure': {
      type: 'boolean',
      about: 'accept any certificate: whoever is in between can read along',
      section: search,
    },
    ...connectionFlags,
  },
  run: async ({ flags }, context) => {
    const { parseSize } = await import('../collect-events/size.ts');
    const { collectEvents } = await import('../collect-events/collect-events.ts');
    await collectEvents(
      {
        connection: flags,
        namespace: flags.namespace,
        database: flags.sqlite ? flags.file : undefined,
        keepMs: flags.keep,
        maxBytes: parseSize('--max-size', flags['max-size']),
        ndjson: flags.ndjson,
        ndjsonMaxBytes: parseSize('--ndjson-max-size', flags['ndjson-max-size']),
        ndjsonKeep: flags['ndjson-keep'],
        search: {
          elasticsearch: flags.elasticsearch,
          opensearch: flags.opensearch,
          index: flags.index,
          dataStream: flags['data-stream'],
          user: flags['search-user'],
          password: flags['search-password'],
          apiKey: flags['search-api-key'],
          credentialsFile: flags['search-credentials'],
          caFile: flags['search-ca'],
          insecure: flags['search-insecure'],
        },
        directory: flags.spool ?? `${flags.file}.spool`,
        maxSpoolBytes: parseSize('--max-spool', flags['max-spool']),
        maxQueued: flags['queue-size'],
        batchSize: flags['batch-size'],
      },
      context,
    );
  },
});
