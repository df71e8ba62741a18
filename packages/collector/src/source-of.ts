import type { Clientset } from 'client-ts/kubernetes';
import { isForbidden, isNotFound } from 'client-ts/meta';

/** Which events are collected. */
export interface SourceOptions {
  /** The address of the server. */
  readonly server: string;
  /** Undefined: all of them. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Names what is collected, for the place to go on from: versions of one cluster mean nothing on
 * another, nor do those of one namespace for all. A cluster is known by its oldest namespace, since
 * another one may be made at the same address; who may not look at that goes by the address.
 */
export async function sourceOf(
  client: Pick<Clientset, 'coreV1'>,
  { server, namespace, signal }: SourceOptions,
): Promise<string> {
  const cluster = await clusterOf(client, server, signal);
  return namespace === undefined ? cluster : `${cluster}/${namespace}`;
}

async function clusterOf(
  client: Pick<Clientset, 'coreV1'>,
  server: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const namespace = await client.coreV1.namespaces().get('kube-system', { signal });
    // Not every server is Kubernetes, and a name that all clusters share would be none.
    const uid: string | undefined = namespace.metadata?.uid;
    return uid ?? server;
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    return server;
  }
}
