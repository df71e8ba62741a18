import type { RESTMapper } from '../discovery/rest-mapper.ts';
import type { DynamicResourceClient } from '../dynamic/dynamic-client.ts';
import { clientFor } from '../kubernetes/client-for.ts';
import { messageOf } from '../lib/errors.ts';
import { parseApiVersion } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { ManifestError } from './manifest-error.ts';
import type { FailedResult, Manifest, ManifestResult } from './types.ts';

/** The server that objects are applied to or deleted from: a `Clientset`, or its parts. */
export interface ManifestClient {
  readonly rest: RESTClient;
  readonly mapper: RESTMapper;
}

/** Options of everything that sends manifests. */
export interface SendManifestsOptions {
  /** The namespace of objects that do not name one. Default: that of the client. */
  readonly namespace?: string | undefined;
  /** The server checks the requests and answers as if, but stores nothing. Default false. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Stage = 'definition' | 'namespace' | 'other';

/** Groups objects by when they are applied: definitions, then namespaces, then everything else. */
export function stagesOf(objects: readonly Manifest[]): Readonly<Record<Stage, Manifest[]>> {
  const stages: Record<Stage, Manifest[]> = { definition: [], namespace: [], other: [] };
  for (const object of objects) stages[stageOf(object)].push(object);
  return stages;
}

function stageOf({ apiVersion, kind }: Manifest): Stage {
  const { group } = parseApiVersion(apiVersion);
  if (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') return 'definition';
  return apiVersion === 'v1' && kind === 'Namespace' ? 'namespace' : 'other';
}

/** Returns the group and kind that a custom resource definition defines. */
export function definedKind(definition: Manifest): string {
  const { spec } = definition as { spec?: { group?: string; names?: { kind?: string } } };
  return `${spec?.names?.kind ?? ''}.${spec?.group ?? ''}`;
}

/** Returns the group and kind of an object, to compare with {@link definedKind}. */
export function groupKindOf({ apiVersion, kind }: Manifest): string {
  return `${kind}.${parseApiVersion(apiVersion).group}`;
}

/** Returns the client for an object, in its namespace. */
export function resourceOf(
  { rest, mapper }: ManifestClient,
  object: Manifest,
  { namespace, signal }: SendManifestsOptions,
): Promise<DynamicResourceClient> {
  return clientFor(rest, mapper, object, { namespace, signal });
}

/** `Deployment shop/web`. */
export function describeObject({ kind = '', metadata = {} }: Readonly<KubernetesObject>): string {
  const { namespace = '', name = '' } = metadata;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** Returns the result of an object that could not be sent. Throws if that was requested. */
export function failed(
  object: Manifest,
  error: unknown,
  signal: AbortSignal | undefined,
): FailedResult {
  signal?.throwIfAborted();
  return {
    outcome: 'failed',
    object,
    error: error instanceof Error ? error : new Error(messageOf(error)),
  };
}

/** Throws `MANIFESTS_FAILED` if a result is `failed`. */
export function throwIfFailed(what: string, results: readonly ManifestResult[]): void {
  const failures = results.filter((result) => result.outcome === 'failed');
  const [first] = failures;
  if (first === undefined) return;
  const more = failures.length > 1 ? `, and ${failures.length - 1} more` : '';
  const reason = `${describeObject(first.object)}: ${messageOf(first.error)}${more}`;
  const message = `${failures.length} of ${results.length} objects were not ${what}: ${reason}`;
  throw new ManifestError('MANIFESTS_FAILED', message, { cause: first.error, results });
}
