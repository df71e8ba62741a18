/**
 * The modules of each package, lowest layer first, and what is in them: a module imports only from
 * itself and from modules before it. A file directly in `src` is a module of its own name. Packages
 * that are not listed have no order inside. The tables in ARCHITECTURE.md are made from this list.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const MODULES = {
  client: {
    lib: 'clock, random, errors, logger, back-off, heap, signals, JSON values; no Kubernetes words, no I/O',
    jsonpath: "kubectl's JSONPath and Go's number and string formats",
    yaml: 'YAML as Go reads it, in linear time; the only YAML reader of all packages',
    meta: 'object metadata, group-version-kinds, selectors, quantities, times, Status errors, patches; no I/O',
    api: 'generated: one module per group-version, types and descriptors only',
    crd: 'custom resources from one declaration: descriptor, type, validation, CRD; no I/O',
    codec:
      'JSON and protobuf, watch framing, read-only objects that are decoded when a field is read; no I/O',
    transport:
      '`Config` and the HTTP engine: connections, TLS, proxies, credentials, retries, throttling',
    clientcmd: "kubeconfig by kubectl's rules, exec plugins, OIDC, the pod's service account",
    rest: 'the request engine: request builder, decoding, watch streams, one generic client over a descriptor',
    wait: 'waiting, conditions, upsert, retries, polling: what programs build on requests',
    streams: 'logs, exec, attach, port-forward and copy: the streams of pods, over WebSocket',
    dynamic: 'any resource by group, version and resource; unstructured objects',
    metadata: 'clients that read and write only metadata',
    discovery: 'what a server serves; caches on disk and in memory; `RESTMapper`',
    kubernetes: '`Clientset`: generated getters over the generic client',
    manifests: 'objects in YAML and JSON files: reading, applying, comparing, deleting',
    cache: '`Reflector`, `DeltaFIFO`, `Controller`, `Indexer`, `SharedIndexInformer`',
    informers: 'factories of shared informers, listers',
    workqueue: 'the deduplicating queue, delays, rate limits, metrics, workers',
    record: 'events: recorder, correlation, sinks; never blocks or throws',
    leaderelection: 'a Lease as a lock, so that replicas can stand by',
    observe:
      'metrics in the text format of Prometheus, under the names of client-go and controller-runtime',
    webhook: 'admission and conversion webhooks: handlers, their configuration, a TLS server',
    controller:
      'the manager: declared controllers, leader election, fence; and its pieces: handlers, owners, finalizers',
    index: 'the front door: the dozen names most programs need',
    testing: 'virtual clock, quiescence; imported by tests only',
  },
  apiserver: {
    http: 'request, response, handler: the interface between the core and the transports',
    kubelet: 'the interface between the API server and the nodes',
    streams: 'WebSocket channels, SPDY, commands and ports over an upgraded connection',
    store: 'revisions, history, snapshots, compaction; the only state',
    schema: 'the API model as linked schemas; decoding and defaulting of built-in types',
    validation: 'field errors and the rules that several kinds share',
    patch: "strategic merge patch (JSON and merge patch are in the client's `meta/`)",
    fieldmanager: 'managed fields and server-side apply',
    crd: 'custom resource definitions: structural schemas, pruning, defaulting, validation',
    webhook: 'calls webhooks over TLS and words their failures as a real server does',
    registry:
      'what all resources share, the rules of each kind (`kinds/`, one folder per API group), tables, the catalogue',
    discovery: 'discovery, OpenAPI, version and health documents',
    auth: 'certificates, tokens, impersonation, RBAC, reviews',
    admission: 'admission webhooks: rules, selectors, reviews, patches',
    controllers: 'garbage collection, namespace life cycle, custom resources',
    endpoints: 'from a request to an answer: negotiation, verbs, options, watches',
    faults: 'failures on demand',
    transport: 'TLS, HTTP/1.1 and HTTP/2, and the same without sockets',
    server: '`ApiServer`: puts it together, initial objects, the kubeconfig',
    index: 'the public exports',
    command: 'what the `serve` command needs',
    testing: 'imported by tests only',
  },
  cli: {
    frame: 'commands as data: flags, parsing, help, suggestions, errors, progress, connections',
    print: 'tables, JSON, YAML and names as kubectl prints them',
    resources: 'from `pods,svc` on the command line to requests and pages of answers',
    discovery: '`api-resources`, `api-versions`, `version`',
    get: '`get`',
    watch: '`watch`',
    'pods-per-node': '`pods-per-node`',
    serve: '`serve`',
    completion: 'shell completion',
    generate: '`generate`',
    simulate: '`simulate`, on top of `@client-ts/simulator`',
    'collect-events': '`collect-events`, on top of `@client-ts/collector`',
    events: '`events`',
    demo: 'the demo of `npm start`',
    commands:
      'one description per command; it imports its module when it runs, so that `--help` is fast',
    reference: '`docs/cli.md`, from the same descriptions',
    'command-table': 'the list of commands',
    run: 'parses, runs, maps errors to exit codes',
    main: 'the executable',
    'reference-command': '`npm run generate` for the reference',
  },
};
