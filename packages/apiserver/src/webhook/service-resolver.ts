import type { Service } from 'client-ts/api/core/v1';
import type { StoredObject } from '../store/store.ts';
import type { ResolveService, ServiceAddress, WebhookService } from './webhook-client.ts';

/** Returns a stored service; undefined if there is none. */
export type FindService = (namespace: string, name: string) => StoredObject | undefined;

/**
 * Returns a function that finds the address of a service: where `resolveService` says, otherwise by
 * the stored service. It rejects with the message of a real server.
 */
export function serviceResolver(
  find: FindService,
  resolveService: ResolveService | undefined,
): (service: WebhookService) => Promise<ServiceAddress> {
  return async (wanted) => {
    const given = await resolveService?.(wanted);
    if (given !== undefined) return given;
    const service = find(wanted.namespace, wanted.name) as Service | undefined;
    if (service === undefined) throw new Error(`service "${wanted.name}" not found`);
    const { type, externalName = '', ports = [] } = service.spec ?? {};
    if (type === 'ExternalName') return { host: externalName, port: wanted.port };
    if (!ports.some(({ port }) => port === wanted.port)) {
      throw new Error(`no service port ${wanted.port} found for service "${wanted.name}"`);
    }
    // Nothing runs behind the cluster IPs of this server.
    throw new Error(`no endpoints available for service "${wanted.name}"`);
  };
}
