import {
  LeaderElector,
  type LeaderElectorOptions,
  type LeadershipOutcome,
} from './leader-elector.ts';

/** How {@link withLeadership} stands for election. */
export interface WithLeadershipOptions extends LeaderElectorOptions {
  /** Ends the waiting, or the work and then the leadership. */
  readonly signal?: AbortSignal;
}

/**
 * Does `work` as soon as this process leads, and resolves when the work has ended: because it is done,
 * because the signal aborted, or because leadership was lost. The lease is given back at once unless
 * `releaseOnCancel` is false; that is safe here, since the work is over by then.
 *
 * ```ts
 * const lock = new LeaseLock({ client: clientset.coordinationV1.leases('apps'), namespace: 'apps', name: 'web' });
 * const { outcome } = await withLeadership({ lock, signal }, (leading) => runController({ …, signal: leading }));
 * if (outcome === 'lost') process.exit(1);
 * ```
 */
export async function withLeadership<T>(
  { signal, ...options }: WithLeadershipOptions,
  work: (signal: AbortSignal, elector: LeaderElector) => Promise<T> | T,
): Promise<LeadershipOutcome<T>> {
  await using elector = new LeaderElector({ releaseOnCancel: true, ...options });
  return await elector.lead(signal, (leading) => work(leading, elector));
}
