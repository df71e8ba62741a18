import type { Transport } from 'client-ts/transport';

/** A server that recordings are replayed against. */
export interface ReplayTarget extends AsyncDisposable {
  /** Requests carry the credentials of the cluster administrator. */
  readonly admin: Transport;
  /** Requests carry no credentials but those in their own headers. */
  readonly anonymous: Transport;
  /** Forgets all history up to now. Without it, exchanges that need it are left out. */
  readonly compact?: () => Promise<void>;
}
