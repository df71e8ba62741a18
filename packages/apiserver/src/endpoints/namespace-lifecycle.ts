import { ApiError, newForbidden, newNotFound } from 'client-ts/meta';

import type { ResourceExchange } from './exchange.ts';

/**
 * Namespaces themselves, and reviews of access, which say nothing about a namespace, not even
 * whether it exists.
 */
const EXEMPT = new Set(['/namespaces', 'authorization.k8s.io/localsubjectaccessreviews']);

/**
 * Rejects what a request would create in a namespace that does not exist or is being deleted. This
 * includes bindings, evictions and tokens.
 */
export function checkNamespaceLifecycle({ core, info }: ResourceExchange, name: string): void {
  const { namespace, group, resource } = info;
  if (namespace === '' || EXEMPT.has(`${group}/${resource}`)) return;
  const found = core.catalog.registry('', 'namespaces')?.find('', namespace);
  if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  if (found.value.metadata?.deletionTimestamp === undefined) return;
  const detail = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = newForbidden({ group, resource }, name, detail);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new ApiError({ ...status, details: { ...status.details, causes: [cause] } });
}
