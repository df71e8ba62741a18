import type { Clock, Random } from 'client-ts/internal';
import type { ApiClient } from '../http/api-client.ts';

/** What a check works with. */
export interface Kit {
  /** As the cluster administrator. */
  readonly api: ApiClient;
  /** Without any credentials. */
  readonly anonymous: ApiClient;
  /** A namespace of the area's own. */
  readonly namespace: string;
  /** Another one, for a check that must be alone. */
  readonly freshNamespace: () => Promise<string>;
  /** A name that nothing else has: `cm-x7k2p9`. */
  readonly unique: (prefix: string) => string;
  /** Runs after the area, whatever happens: for what lives outside of namespaces. */
  readonly cleanUp: (work: () => Promise<unknown>) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** One claim about the server, true if it does not throw. */
export type Check = (kit: Kit) => Promise<void>;

/** Checks that belong together; they run one after the other and share a namespace. */
export interface Area {
  readonly name: string;
  /** By what each claims: a sentence about the server. */
  readonly checks: Readonly<Record<string, Check>>;
}
