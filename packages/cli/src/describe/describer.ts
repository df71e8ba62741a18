import type { Clientset } from 'client-ts/kubernetes';
import type { KubernetesObject } from 'client-ts/meta';

import type { Lines } from './lines.ts';
import type { LooseObject } from './values.ts';

/** What a description needs besides the object. */
export interface Surroundings {
  readonly client: Clientset;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** How objects of a kind are described. */
export interface Describer<T extends KubernetesObject = KubernetesObject> {
  /** False for kinds about which kubectl shows no events. */
  readonly hasEvents: boolean;
  /** The version to read. Default: that of the request. */
  readonly version?: string;
  readonly lines: (object: LooseObject<T>, surroundings: Surroundings) => Lines | Promise<Lines>;
}
