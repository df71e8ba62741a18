/** What every question to discovery can be given. */
export interface DiscoveryOptions {
  /** Aborting frees the connections at once; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
