import type { WorkloadRef } from 'client-ts/operations';

import type { CommandContext } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';
import { selectObjects, type SelectOptions } from '../resources/select.ts';
import type { Session } from '../resources/session.ts';

/** A workload of the command line, and its name as kubectl prints it. */
export interface NamedWorkload extends WorkloadRef {
  readonly name: string;
  /** `deployment.apps/web`. */
  readonly title: string;
}

const KINDS: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'StatefulSet']);

/** Finds `deployment/web` and the like. Throws `UsageError` for kinds without a rollout. */
export async function workloadsOf(
  session: Session,
  options: SelectOptions,
  context: CommandContext,
): Promise<NamedWorkload[]> {
  const objects = await selectObjects(session, options, context);
  return objects.map(({ resource, name, namespace, type }) => {
    const { kind, group } = resource;
    if (group !== 'apps' || !KINDS.has(kind)) {
      throw new UsageError(
        `${resource.resource} have no rollout: name a deployment, daemon set or stateful set`,
      );
    }
    const title = `${type}/${name}`;
    return { kind: kind as NonNullable<WorkloadRef['kind']>, name, namespace, title };
  });
}
