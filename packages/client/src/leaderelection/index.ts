/**
 * Leader election with a Lease, so that replicas can stand by; and shards with Leases, so that all work.
 *
 * @module
 */

export type { ElectionStep } from './diagnostics.ts';
export { JITTER_FACTOR } from './election.ts';
export {
  type ElectionRunOptions,
  type LeaderCallbacks,
  type LeaderElectionConfig,
  LeaderElector,
  type LeadershipOutcome,
  withLeadership,
  type WithLeadershipOptions,
} from './leader-elector.ts';
export {
  LEADER_ELECTION_ERRORS,
  LeaderElectionError,
  type LeaderElectionErrorCode,
} from './leader-election-error.ts';
export {
  type ShardChange,
  ShardGroup,
  type ShardGroupOptions,
  type ShardGroupStatus,
} from './shard-group.ts';
export { shardOfKey } from './shard-hash.ts';
export type { ShardHold } from './shard-hold.ts';
export type { ShardLeaseClient, ShardLeasesGetter } from './shard-leases.ts';
export {
  type LeaderElectionRecord,
  type LeaderEventRecorder,
  type LeaderEventSubject,
  type LeaseClient,
  LeaseLock,
  type LeaseLockOptions,
  type LeasesGetter,
  type LockOptions,
  type ResourceLock,
  type WrittenRecord,
} from './lease-lock.ts';
