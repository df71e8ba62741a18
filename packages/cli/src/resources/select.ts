import { DynamicClient, type DynamicResourceClient } from 'client-ts/dynamic';
import type { ResourceDescriptor } from 'client-ts/meta';

import type { NamespaceFlags, SelectorFlags } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import type { FileFlags } from '../frame/file-flags.ts';
import type { BooleanFlag, FlagValues } from '../frame/flags.ts';
import { UsageError } from '../frame/usage-error.ts';
import { readManifests } from './manifests.ts';
import { resolveTargets } from './resolve.ts';
import type { Session } from './session.ts';
import { parseTargets, type Target } from './targets.ts';

/** How the command line names the objects that a command changes. */
export interface SelectOptions {
  readonly targets: readonly Target[];
  readonly files?: readonly string[] | undefined;
  readonly recursive?: boolean | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** All objects of a type that is given without names. */
  readonly all?: boolean | undefined;
  readonly allNamespaces?: boolean | undefined;
}

/** An object that was named or selected. It need not exist. */
export interface SelectedObject {
  readonly resource: ResourceDescriptor;
  readonly name: string;
  /** Empty for a cluster-scoped resource. */
  readonly namespace: string;
  /** `deployment.apps`. */
  readonly type: string;
  /** Its client, in its namespace. */
  readonly client: DynamicResourceClient;
}

/**
 * Returns the objects that the command line names: in files, by name, by selector or all of a type.
 * Throws `UsageError` for a type with nothing of it.
 */
export async function selectObjects(
  session: Session,
  options: SelectOptions,
  context: CommandContext,
): Promise<SelectedObject[]> {
  const { files = [], recursive } = options;
  const found: SelectedObject[] = [];
  for (const { apiVersion, kind, metadata } of await readManifests(files, context, { recursive })) {
    const resource = await session.mapper.mapping({ apiVersion, kind }, context);
    found.push(placed(session, resource, metadata.name, metadata.namespace ?? session.namespace));
  }
  for (const { resource, names } of await resolveTargets(
    session,
    options.targets,
    context.signal,
  )) {
    if (names === undefined) found.push(...(await listed(session, resource, options, context)));
    else found.push(...names.map((name) => placed(session, resource, name, session.namespace)));
  }
  return found;
}

async function listed(
  session: Session,
  resource: ResourceDescriptor,
  { labelSelector, fieldSelector, all = false, allNamespaces = false }: SelectOptions,
  { signal }: CommandContext,
): Promise<SelectedObject[]> {
  if (labelSelector === undefined && fieldSelector === undefined && !all) {
    throw new UsageError(`name the ${resource.resource}, or use a selector or --all`);
  }
  const client = new DynamicClient(session.rest).resource(resource);
  const isPlaced = resource.scope === 'Namespaced' && !allNamespaces;
  const { items } = await (isPlaced ? client.namespace(session.namespace) : client)
    .listAll({ labelSelector, fieldSelector, signal })
    .toList();
  return items.map(({ metadata }) =>
    placed(session, resource, metadata.name, metadata.namespace ?? ''),
  );
}

function placed(
  session: Session,
  resource: ResourceDescriptor,
  name: string,
  wanted: string,
): SelectedObject {
  const client = new DynamicClient(session.rest).resource(resource);
  const namespace = resource.scope === 'Namespaced' ? wanted : '';
  const { group, singular } = resource;
  return {
    resource,
    name,
    namespace,
    type: group === '' ? singular : `${singular}.${group}`,
    client: namespace === '' ? client : client.namespace(namespace),
  };
}

/** The parsed flags of a selection; not every command has all of them. */
type SelectionValues = FlagValues<FileFlags> &
  Partial<FlagValues<NamespaceFlags & SelectorFlags & { readonly all: BooleanFlag }>>;

/** What {@link parseSelection} returns. */
interface Selection extends SelectOptions {
  readonly files: readonly string[];
  readonly recursive: boolean;
}

/** Reads the selection of a command line. Throws `UsageError` if it names nothing, or in two ways. */
export function parseSelection(positionals: readonly string[], flags: SelectionValues): Selection {
  const targets = positionals.length === 0 ? [] : parseTargets(positionals);
  const {
    filename: files,
    recursive,
    all = false,
    'all-namespaces': allNamespaces = false,
  } = flags;
  const { selector: labelSelector, 'field-selector': fieldSelector } = flags;
  if ((files.length === 0) === (targets.length === 0)) {
    throw new UsageError('name files with -f, or a type and names');
  }
  const isSelected = labelSelector !== undefined || fieldSelector !== undefined || all;
  const isNamed = files.length > 0 || targets.some(({ names }) => names !== undefined);
  if (isNamed && isSelected)
    throw new UsageError('names cannot be combined with selectors or --all');
  if (isNamed && allNamespaces) throw new UsageError('objects cannot be selected by name with -A');
  return { targets, files, recursive, labelSelector, fieldSelector, all, allNamespaces };
}
