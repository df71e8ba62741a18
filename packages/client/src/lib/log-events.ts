/**
 * The names of log entries, and what has happened. They are stable: programs filter and alert by them.
 * Texts of messages may change.
 */
export const LOG_EVENTS = {
  'cache.behind':
    'after a write, the cache does not catch up, or cannot be compared with the server',
  'cache.unsettled': 'the outcome of a write is not known yet; reads wait',
  'cache.write.unseen': 'a write cannot be applied to the cache',
  'callback.failed': 'a callback of the program threw',
  'connection.recovered': 'the server allows HTTP/2 streams again',
  'connection.starved': 'the server allows no HTTP/2 streams, and requests wait',
  'controller.failed': 'a predicate, a mapping or a source of a controller failed',
  'controller.log': 'the program logged through the `log` of a reconcile',
  'controller.loop.ended': 'a hot loop, or a fight with another writer, is over',
  'controller.loop.started':
    'a controller keeps writing an object, alone or against another writer',
  'controller.read': 'objects are read from the server, because the cache may be too old',
  'election.failing': 'the lease cannot be read or written',
  'election.recovered': 'the lease can be used again',
  'event.failed': 'an Event could not be recorded',
  'informer.blocked': 'an informer cannot list or watch',
  'informer.failed': 'a handler threw, or an object could not be stored or indexed',
  'informer.recovered': 'an informer follows its server again',
  'logger.level': 'the environment variable `CLIENT_TS_LOG` has an unknown value',
  'logs.failed': 'the log of a container cannot be followed',
  'logs.interrupted': 'a log was interrupted, and is requested again',
  'logs.resumed': 'an interrupted log continues',
  'manager.unfinished': 'something had not ended when the grace period of a stop was over',
  'port-forward.failed': 'a forwarded connection failed',
  'reconcile.failed': 'an attempt to reconcile failed, was cancelled, or hangs',
  'request.end': 'a request has ended; every request, at the level `debug`',
  'request.retrying': 'a request has been retried for more than two seconds',
  'request.settled': 'such a request has been answered, or has failed',
  'server.warning': 'the server sent a `Warning` header; each text once',
  'shards.cancelled': 'reconciles of a shard that moves have not ended, and are cancelled',
  'shards.changed': 'a shard was acquired, is ending, or has ended',
  'shards.failed': 'the shards of a group of replicas cannot be read or written, or assigned',
  'status.dropped': 'the server has dropped a field of a status that its schema does not have',
  'watch.blocked': 'a retried watch cannot be opened',
  'watch.recovered': 'a retried watch works again',
  'webhook.certificate':
    'the certificate of the webhook server cannot be used; the old one stays in use',
  'webhook.failed': 'a webhook answered with an error',
} as const;

/** The name of a log entry. */
export type LogEvent = keyof typeof LOG_EVENTS;
