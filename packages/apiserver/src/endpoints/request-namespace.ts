import { newBadRequest } from 'client-ts/meta';
import type { ApiObject } from '../registry/object.ts';
import type { ResourceExchange } from './exchange.ts';

/** Sets the namespace of the URL; throws if the object names another one. */
export function checkNamespace({ metadata }: ApiObject, { info, served }: ResourceExchange): void {
  const namespace = served.info.scope === 'Namespaced' ? info.namespace : '';
  if (namespace === '') {
    // A cluster-scoped object loses its namespace.
    delete metadata.namespace;
    return;
  }
  if ((metadata.namespace ?? '') === '') metadata.namespace = namespace;
  if (metadata.namespace !== namespace) {
    throw newBadRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}
