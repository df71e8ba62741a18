import { type Command, defineCommand } from '../frame/command.ts';
import { connectionFlags } from '../frame/connection-flags.ts';

const search = 'Elasticsearch and OpenSearch';
const replicas = 'Replicas';

/** `client-ts collect-events`: store events for longer than the server does. */
export const collectEvents: Command = defineCommand({
  name: 'collect-events',
  summary: 'collect events into SQLite, Elasticsearch, OpenSearch, OTLP or files',
  usage: [''],
  about: [
    'API servers delete events after an hour. This command copies them into a database file for client-ts events, into Elasticsearch or OpenSearch, to an OpenTelemetry collector, and into files of JSON lines, or several of these. It runs until Ctrl-C.',
    'It can be stopped or killed at any time: it resumes where it was, without duplicates. If the server has lost history in the meantime, a gap is recorded. While a destination is down, events queue in memory, then on disk.',
    'Set passwords in a file or in the environment: ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY; OPENSEARCH_… likewise. Headers, compression, timeout and certificates for OTLP come from the environment: OTEL_EXPORTER_OTLP_HEADERS and so on.',
  ],
  examples: [
    { about: 'into events.db, for 90 days', line: 'client-ts collect-events --keep 90d' },
    { about: 'then query', line: 'client-ts events --since 2h --type Warning' },
    {
      about: 'only into Elasticsearch',
      line: 'client-ts collect-events --sqlite=false --elasticsearch https://search:9200 --search-credentials FILE',
    },
    {
      about: 'to an OpenTelemetry collector, as logs',
      line: 'client-ts collect-events --sqlite=false --otlp http://localhost:4318',
    },
    {
      about: 'in several replicas, which share the work',
      line: 'client-ts collect-events --sqlite=false --elasticsearch https://search:9200 --shards 16',
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
      about: 'database file',
      complete: 'file',
    },
    sqlite: { type: 'boolean', default: true, about: 'write to the database' },
    keep: { type: 'duration', about: 'remove events from the database after this time: 30d' },
    'max-size': {
      type: 'string',
      value: 'SIZE',
      about: 'remove the oldest events when the database exceeds this size: 500MB, 2GiB',
    },
    ndjson: {
      type: 'list',
      value: 'FILE',
      about: 'append a line of JSON per event to this file; - for standard output',
      complete: 'file',
    },
    'ndjson-max-size': {
      type: 'string',
      value: 'SIZE',
      default: '100MB',
      about: 'rotate files to FILE.1 before they exceed this size; 0 for no limit',
    },
    'ndjson-keep': {
      type: 'integer',
      value: 'N',
      default: 10,
      about: 'number of rotated files to keep',
    },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      about: 'only events of this namespace (default: all)',
      complete: 'namespace',
    },
    spool: {
      type: 'string',
      value: 'DIRECTORY',
      about: 'directory for queued events (default: the database with .spool appended)',
      complete: 'directory',
    },
    'max-spool': {
      type: 'string',
      value: 'SIZE',
      default: '1GiB',
      about:
        'maximum size of queued events on disk, per destination; more are dropped, and counted',
    },
    'queue-size': {
      type: 'integer',
      value: 'N',
      default: 10_000,
      about: 'maximum events queued in memory, per destination',
    },
    'batch-size': {
      type: 'integer',
      value: 'N',
      default: 1000,
      about: 'events per write',
    },
    shards: {
      type: 'integer',
      value: 'N',
      about:
        'share the events with other replicas, in this many shards: several times the replicas; each needs its own --spool',
      section: replicas,
    },
    lease: {
      type: 'string',
      value: 'NAME',
      about: 'prefix of the names of the Leases (default: event-collector)',
      section: replicas,
    },
    'lease-namespace': {
      type: 'string',
      value: 'NAME',
      about: 'namespace of the Leases (default: that of the context)',
      section: replicas,
      complete: 'namespace',
    },
    elasticsearch: {
      type: 'string',
      value: 'URL',
      about: 'Elasticsearch URL; requires npm install @elastic/elasticsearch',
      section: search,
    },
    opensearch: {
      type: 'string',
      value: 'URL',
      about: 'OpenSearch URL; requires npm install @opensearch-project/opensearch',
      section: search,
    },
    index: {
      type: 'string',
      value: 'NAME',
      default: 'kubernetes-events',
      about: 'prefix of the daily indices',
      section: search,
    },
    'data-stream': {
      type: 'boolean',
      about: 'use a data stream of that name instead of daily indices',
      section: search,
    },
    'search-user': { type: 'string', value: 'NAME', about: 'user name', section: search },
    'search-password': { type: 'string', value: 'TEXT', about: 'password', section: search },
    'search-api-key': {
      type: 'string',
      value: 'KEY',
      about: 'encoded API key, instead of a user',
      section: search,
    },
    'search-credentials': {
      type: 'string',
      value: 'FILE',
      about: 'file with user:password, or ApiKey KEY',
      section: search,
      complete: 'file',
    },
    'search-ca': {
      type: 'string',
      value: 'FILE',
      about: 'CA certificates of the server',
      section: search,
      complete: 'file',
    },
    'search-insecure': {
      type: 'boolean',
      about: 'do not verify the certificate of the server (insecure)',
      section: search,
    },
    otlp: {
      type: 'string',
      value: 'URL',
      about:
        'OTLP receiver over HTTP: http://localhost:4318, or the URL of its logs; - for that of OTEL_EXPORTER_OTLP_ENDPOINT',
    },
    inspect: { type: 'boolean', about: 'serve the inspector, and print its address' },
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
        shards: flags.shards,
        lease: flags.lease,
        leaseNamespace: flags['lease-namespace'],
        otlp: flags.otlp === '-' ? '' : flags.otlp,
        directory: flags.spool ?? `${flags.file}.spool`,
        maxSpoolBytes: parseSize('--max-spool', flags['max-spool']),
        maxQueued: flags['queue-size'],
        batchSize: flags['batch-size'],
        isInspected: flags.inspect,
      },
      context,
    );
  },
});
