import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Random } from '../../lib/random.ts';
import type { DeepReadonly, KubernetesObject } from '../../meta/types.ts';
import type { Transport } from '../../transport/transport.ts';
import { SimulationError } from './simulation-error.ts';

/** A write as the server stored it. */
export interface ServerWrite {
  /** The resourceVersion of the write. */
  readonly revision: number;
  readonly group: string;
  /** The plural: `pods`. */
  readonly resource: string;
  /** Empty for objects that are in no namespace. */
  readonly namespace: string;
  readonly name: string;
  /** The object after the write; undefined for a deletion. */
  readonly object: DeepReadonly<KubernetesObject> | undefined;
  /** The object before the write; undefined for a creation. */
  readonly previous: DeepReadonly<KubernetesObject> | undefined;
}

/**
 * What a simulation needs of an API server. `MemoryApiServer` of `@client-ts/apiserver` is one;
 * this package cannot name it, because that package is built on this one.
 */
export interface SimulationServer extends Disposable {
  readonly revision: number;
  /** Returns a transport with the rights of an administrator. */
  transport(): Transport;
  /** Calls `listener` synchronously with each write, in order. */
  onWrite(listener: (write: ServerWrite) => void): Disposable;
  /** Returns all objects of a resource, in the order of their keys. */
  objects(resource: {
    readonly group: string;
    readonly resource: string;
  }): readonly DeepReadonly<KubernetesObject>[];
  /** Forgets all history: watches and lists from older versions fail with 410. */
  compact(): void;
}

/** What a {@link SimulationServer} is made with. */
export interface SimulationServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly token: string;
  readonly onError: (error: unknown) => void;
}

interface ServerPackage {
  readonly MemoryApiServer?: new (options: SimulationServerOptions) => SimulationServer;
}

const PACKAGE: string = '@client-ts/apiserver';

/** Loads the embedded server, which the user has to install, and returns a function that makes one. */
export async function loadServer(): Promise<
  (options: SimulationServerOptions) => SimulationServer
> {
  let loaded: ServerPackage;
  try {
    loaded = (await import(PACKAGE)) as ServerPackage;
  } catch (error) {
    const message = `${PACKAGE} cannot be loaded: ${messageOf(error)}`;
    throw new SimulationError('TESTING_NO_SERVER', message, { cause: error });
  }
  const { MemoryApiServer: Server } = loaded;
  if (Server === undefined) {
    throw new SimulationError('TESTING_NO_SERVER', `${PACKAGE} has no MemoryApiServer`);
  }
  return (options) => new Server(options);
}
