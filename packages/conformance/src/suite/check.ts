import type { Clock, Random } from 'client-ts/internal';
import type { ApiClient } from '../http/api-client.ts';

/** The tools of a check. */
export interface Kit {
  /** A client with the credentials of the cluster administrator. */
  readonly api: ApiClient;
  /** A client without credentials. */
  readonly anonymous: ApiClient;
  /** The namespace of the area. */
  readonly namespace: string;
  /** Creates another namespace, for a check that must be alone. */
  readonly freshNamespace: () => Promise<string>;
  /** Returns a unique name: `cm-x7k2p9`. */
  readonly unique: (prefix: string) => string;
  /** Runs after the area in any case, to delete cluster-scoped objects. */
  readonly cleanUp: (work: () => Promise<unknown>) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** One claim about the server; it holds if the function does not throw. */
export type Check = (kit: Kit) => Promise<void>;

/** Related checks; they run in order and share a namespace. */
export interface Area {
  readonly name: string;
  /** By title: a statement about the server. */
  readonly checks: Readonly<Record<string, Check>>;
}
