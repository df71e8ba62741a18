import { isNoMatchError } from 'client-ts/discovery';
import type { ResourceDescriptor } from 'client-ts/meta';

import { CliError } from '../frame/cli-error.ts';
import { nearest } from '../frame/nearest.ts';
import type { Session } from './session.ts';
import type { Target } from './targets.ts';

/** What to request from the server. */
export interface Selection {
  readonly resource: ResourceDescriptor;
  /** Undefined: all of them. */
  readonly names: readonly string[] | undefined;
}

/** Resolves types to resources; a category to all of its members. Duplicates are dropped. */
export async function resolveTargets(
  session: Session,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<Selection[]> {
  const selections: Selection[] = [];
  for (const { type, names } of targets) {
    const resources = await resolveType(session, type, signal);
    for (const resource of resources) {
      const isThere = selections.some(
        (other) => other.names === undefined && isSame(other, resource),
      );
      if (names !== undefined || !isThere) selections.push({ resource, names });
    }
  }
  return selections;
}

function isSame({ resource: other }: Selection, resource: ResourceDescriptor): boolean {
  return other.group === resource.group && other.resource === resource.resource;
}

async function resolveType(
  session: Session,
  type: string,
  signal: AbortSignal,
): Promise<ResourceDescriptor[]> {
  const { mapper } = session;
  try {
    return [await mapper.mapping(type, { signal })];
  } catch (error) {
    if (!isNoMatchError(error)) throw error;
    const members = await mapper.expandCategory(type, { signal });
    if (members.length > 0) {
      return await Promise.all(members.map((member) => mapper.mapping(member, { signal })));
    }
    throw await unknownType(session, type, error, signal);
  }
}

/** Returns the error for a type that the server does not have, with the most similar one. */
export async function unknownType(
  { discovery }: Session,
  type: string,
  cause: unknown,
  signal: AbortSignal,
): Promise<CliError> {
  const { resources } = await discovery.serverResources({ signal });
  const known = resources.flatMap((list) =>
    list.resources.flatMap(({ name, shortNames = [] }) => [name, ...shortNames]),
  );
  const meant = nearest(type.toLowerCase(), known);
  return new CliError('CLI_RESOURCE_UNKNOWN', `the server has no resource type "${type}"`, {
    cause,
    hint: meant === undefined ? undefined : `Did you mean ${meant}?`,
  });
}
