/** The object to reconcile, by name. */
export interface ReconcileRequest {
  /** Left out or empty for a cluster-scoped object. */
  readonly namespace?: string | undefined;
  readonly name: string;
}
