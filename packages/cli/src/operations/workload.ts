import type { WorkloadRef } from 'client-ts/operations';

import { UsageError } from '../frame/usage-error.ts';
import { resolveTargets } from '../resources/resolve.ts';
import type { Session } from '../resources/session.ts';
import { parseTargets } from '../resources/targets.ts';

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
  args: readonly string[],
  signal: AbortSignal,
): Promise<NamedWorkload[]> {
  const selections = await resolveTargets(session, parseTargets(args), signal);
  return selections.flatMap(({ resource, names }) => {
    const { kind, group, singular } = resource;
    if (group !== 'apps' || !KINDS.has(kind)) {
      throw new UsageError(
        `${resource.resource} have no rollout: name a deployment, daemon set or stateful set`,
      );
    }
    if (names === undefined)
      throw new UsageError(`name the ${resource.resource}: ${singular}/NAME`);
    const { namespace } = session;
    return names.map((name) => ({
      kind: kind as NonNullable<WorkloadRef['kind']>,
      name,
      namespace,
      title: `${singular}.${group}/${name}`,
    }));
  });
}
