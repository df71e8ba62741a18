const keyword = { type: 'keyword', ignore_above: 1024 } as const;

const involved = {
  properties: {
    apiVersion: keyword,
    kind: keyword,
    namespace: keyword,
    name: { ...keyword, fields: { text: { type: 'text' } } },
    uid: keyword,
    fieldPath: keyword,
  },
} as const;

/** What is known of each field; others are kept, and not searched. */
const mappings = {
  dynamic: false,
  properties: {
    '@timestamp': { type: 'date' },
    uid: keyword,
    resourceVersion: keyword,
    namespace: keyword,
    name: keyword,
    type: keyword,
    reason: { ...keyword, fields: { text: { type: 'text' } } },
    message: { type: 'text' },
    object: involved,
    related: involved,
    action: keyword,
    component: keyword,
    instance: keyword,
    count: { type: 'long' },
    firstSeen: { type: 'date' },
    lastSeen: { type: 'date' },
    createdAt: { type: 'date' },
    receivedAt: { type: 'date' },
    from: { type: 'date' },
    to: { type: 'date' },
    dropped: { type: 'long' },
  },
} as const;

/** The index template: for an index a day, or for one data stream. */
export function indexTemplate(prefix: string, isDataStream: boolean): object {
  return {
    index_patterns: isDataStream ? [prefix] : [`${prefix}-*`],
    ...(isDataStream && { data_stream: {} }),
    // Above the templates that come with the products.
    priority: 500,
    template: { mappings },
    _meta: { description: 'Kubernetes events, collected by client-ts' },
  };
}
