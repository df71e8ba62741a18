import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/errors.ts';

/** The codes of {@link OperationsError}. Codes are stable. */
export const OPERATIONS_ERRORS = {
  OPERATIONS_DRAIN_REFUSED: {
    retry: 'never',
    when: 'Pods of the node would be lost or come back. The node is cordoned, and no pod was evicted.',
    hint: 'Use force, ignoreDaemonSets or deleteEmptyDirData, or move the pods first.',
  },
  OPERATIONS_METRICS_UNAVAILABLE: {
    retry: 'later',
    when: 'The server does not serve metrics.k8s.io, or has no metrics yet.',
    hint: 'Install metrics-server; after its start the first metrics take about a minute.',
  },
  OPERATIONS_REPLICAS_CHANGED: {
    retry: 'never',
    when: 'The number of replicas is not the expected one.',
    hint: 'Look at the current number, or scale without ifReplicas.',
  },
  OPERATIONS_REVISION_NOT_FOUND: {
    retry: 'never',
    hint: 'rolloutHistory lists the revisions that are kept.',
  },
  OPERATIONS_ROLLOUT_FAILED: {
    retry: 'never',
    when: 'The rollout has exceeded its progress deadline, or its object was deleted.',
    hint: 'Look at the events and pods, or go back with undoRollout.',
  },
  OPERATIONS_ROLLOUT_UNSUPPORTED: {
    retry: 'never',
    when: 'The object is paused, or its update strategy has no rollout.',
  },
  OPERATIONS_TIMEOUT: {
    retry: 'later',
    hint: 'Allow more time. A disruption budget may protect pods that are not evicted.',
  },
} as const;

/** The codes of {@link OperationsError}. */
export type OperationsErrorCode = keyof typeof OPERATIONS_ERRORS;

/** An operation on a workload or a node was refused or did not finish. */
export class OperationsError extends ClientError {
  declare readonly code: OperationsErrorCode;

  constructor(code: OperationsErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'OperationsError', 'OPERATIONS', OPERATIONS_ERRORS);
  }
}
