import type { ResourceInformer, SharedInformerFactory } from 'client-ts/informers';

import type { CachedStorageClass, CachedVolume, ClusterInformer } from './cluster.ts';

/** The informers of volumes, which belong to no namespace. */
export class VolumeCache {
  readonly volumes: ResourceInformer<CachedVolume>;
  readonly storageClasses: ResourceInformer<CachedStorageClass>;

  constructor(factory: SharedInformerFactory) {
    this.volumes = factory.coreV1.persistentVolumes({});
    this.storageClasses = factory.storageV1.storageClasses({});
  }

  /** All informers. */
  get informers(): ClusterInformer[] {
    return [this.volumes.informer, this.storageClasses.informer];
  }
}
